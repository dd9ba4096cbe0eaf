import Foundation

/// The formats of parameters, with the values that each cannot represent.
enum ParameterFormat {
    case query
    case json
    case propertyList(PropertyListRequestSerializer.Format)

    /// Returns why the format cannot represent a value, ignoring its contents; nil if it can.
    func objection(to value: ParameterValue) -> String? {
        switch (self, value) {
        case (.query, _):
            return nil
        case (.json, .set), (.propertyList, .set):
            return "a set has no order; pass an array, such as set.sorted()"
        case (.propertyList, .null):
            return "a property list cannot contain null; leave the key out"
        case (.propertyList, .integer(let integer)) where !Self.integers.contains(integer):
            return Self.objectionToInteger
        case (.propertyList, .hugeInteger):
            return Self.objectionToInteger
        case (.propertyList, .floating(let number, _)) where !number.isFinite:
            return "the number is outside the range of Double, which property lists use"
        case (.propertyList(.xml), .date(let date))
        where !TimestampText.gregorianRange.contains(date.timeIntervalSince1970):
            return "the date is outside the years 1 to 9999 of XML; use the format .binary"
        case (.propertyList(.xml), .string(let text)) where !Self.isXMLText(text):
            return "the text has characters that XML cannot represent; use the format .binary"
        case (.json, _), (.propertyList, _):
            return nil
        }
    }

    /// Returns why the value cannot be the root; nil if it can.
    func objection(toRoot value: ParameterValue) -> String? {
        switch (self, value) {
        case (_, .dictionary), (.json, .array), (.propertyList, .array): nil
        case (.query, _): Self.objectionToNamelessRoot
        case (.json, _), (.propertyList, _):
            "the parameters are a single value or a set; wrap it in a dictionary or an array"
        }
    }

    static let objectionToNamelessRoot =
        "the parameters are not a dictionary, so their values have no names; wrap them in one"

    /// The range of integers in property lists.
    private static let integers = Int128(Int64.min)...Int128(UInt64.max)

    private static let objectionToInteger =
        "the integer is outside the range of property lists, Int64.min to UInt64.max"

    /// Returns whether a text has only characters of XML 1.0 (production 2, Char).
    private static func isXMLText(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0x9, 0xA, 0xD, 0x20...0xFFFD, 0x10000...: true
            default: false
            }
        }
    }
}
