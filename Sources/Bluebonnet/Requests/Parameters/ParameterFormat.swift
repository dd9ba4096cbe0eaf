import Foundation

/// The formats of parameters, and what each cannot hold.
enum ParameterFormat {
    case query
    case json
    case propertyList(PropertyListRequestSerializer.Format)

    /// Why the format cannot hold the value itself, whatever is inside of it; nil when it can.
    func objection(to value: ParameterValue) -> String? {
        switch (self, value) {
        case (.query, _):
            return nil
        case (.json, .set), (.propertyList, .set):
            return "a set has no order; pass an array, such as set.sorted()"
        case (.propertyList, .null):
            return "a property list cannot hold null; leave the key out"
        case (.propertyList, .integer(let integer)) where !Self.integers.contains(integer):
            return Self.objectionToInteger
        case (.propertyList, .hugeInteger):
            return Self.objectionToInteger
        case (.propertyList, .floating(let number, _)) where !number.isFinite:
            return "the number is outside the range of property lists, that of Double"
        case (.propertyList(.xml), .string(let text)) where !Self.isXMLText(text):
            return "the text has characters that XML cannot hold; use the format .binary"
        case (.json, _), (.propertyList, _):
            return nil
        }
    }

    /// Why the value cannot be all there is; nil when it can.
    func objection(toRoot value: ParameterValue) -> String? {
        switch (self, value) {
        case (_, .dictionary), (.json, .array), (.propertyList, .array): nil
        case (.query, _): Self.objectionToNamelessRoot
        case (.json, _), (.propertyList, _):
            "the parameters are a single value or a set; put it into a dictionary or an array"
        }
    }

    static let objectionToNamelessRoot =
        "the parameters are not a dictionary, so nothing in them has a name; put them into one"

    /// The integers of property lists.
    private static let integers = Int128(Int64.min)...Int128(UInt64.max)

    private static let objectionToInteger =
        "the integer is outside the range of property lists, Int64.min to UInt64.max"

    /// Whether a text has only characters of XML 1.0 (production 2, Char).
    private static func isXMLText(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0x9, 0xA, 0xD, 0x20...0xFFFD, 0x10000...: true
            default: false
            }
        }
    }
}
