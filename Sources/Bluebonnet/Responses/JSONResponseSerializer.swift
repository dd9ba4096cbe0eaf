public import Foundation

/// Makes plain Swift values of JSON.
///
/// Values are `String`, `Int`, `UInt64` where an `Int` is too small, `Double` for every number
/// with a fraction or an exponent and for integers too big for both, `Bool`, `NSNull`,
/// `[any Sendable]` and `[String: any Sendable]`; `as? [String: Any]` and `as? [Any]` work.
/// A body that is empty or a single space gives nil. Of keys that repeat, the last one counts.
/// Arrays and objects may be nested 512 deep.
public struct JSONResponseSerializer: ResponseSerializer {
    /// The content types that are accepted by default.
    public static let defaultContentTypes: Set<String> = [
        "application/json", "text/json", "text/javascript",
    ]

    /// Status codes of a success; nil accepts every status.
    public var acceptableStatusCodes: Set<Int>?
    /// Media types that the body may have, in lower case; nil accepts every type.
    public var acceptableContentTypes: Set<String>?
    /// Whether the root may be something other than an array or object; it may not by default.
    public var allowsFragments: Bool
    /// Whether keys whose value is null are left out, at any depth; they are kept by default.
    public var removesKeysWithNullValues: Bool
    /// Whether nulls in arrays are left out, at any depth; they are kept by default.
    public var removesNullArrayElements: Bool

    /// Makes a serializer that accepts the statuses of a success and the types of JSON.
    public init(
        acceptableStatusCodes: Set<Int>? = .successStatusCodes,
        acceptableContentTypes: Set<String>? = Self.defaultContentTypes,
        allowsFragments: Bool = false,
        removesKeysWithNullValues: Bool = false,
        removesNullArrayElements: Bool = false
    ) {
        self.acceptableStatusCodes = acceptableStatusCodes
        self.acceptableContentTypes = acceptableContentTypes
        self.allowsFragments = allowsFragments
        self.removesKeysWithNullValues = removesKeysWithNullValues
        self.removesNullArrayElements = removesNullArrayElements
    }

    /// The root of the JSON text, or nil of an empty body.
    ///
    /// The text is UTF-8, UTF-16 or UTF-32, with or without a byte order mark.
    ///
    /// - Throws: ``ResponseSerializationError`` with the place, counted in bytes of UTF-8 after a
    ///   byte order mark, where it is known.
    public func serialize(_ data: Data, head: ResponseHead?) throws -> (any Sendable)? {
        if isEmptyBody(data, head: head) || JSONText.isBlank(data) { return nil }
        let text = try JSONText(data)
        let root = try JSONText.parse(text.data)
        try text.refuseTrailingCommas()
        let value = try plainValue(root, depth: 0)
        guard allowsFragments || value is [any Sendable] || value is [String: any Sendable] else {
            throw ResponseSerializationError(
                reason: "the root is neither an array nor an object; allowsFragments permits that"
            )
        }
        return value
    }

    private static let maximumDepth = 512

    private func plainValue(_ value: Any, depth: Int) throws -> any Sendable {
        // A walk that recurses must end before the stack does, whatever Foundation's own limit is.
        guard depth <= Self.maximumDepth else {
            throw ResponseSerializationError(reason: "invalid JSON: nested too deeply")
        }
        switch value {
        case let string as String:
            return string
        case let number as NSNumber:
            return Self.plainNumber(number)
        case let object as [String: Any]:
            var plain: [String: any Sendable] = [:]
            plain.reserveCapacity(object.count)
            for (key, value) in object where !(removesKeysWithNullValues && value is NSNull) {
                plain[key] = try plainValue(value, depth: depth + 1)
            }
            return plain
        case let array as [Any]:
            var plain: [any Sendable] = []
            plain.reserveCapacity(array.count)
            for value in array where !(removesNullArrayElements && value is NSNull) {
                plain.append(try plainValue(value, depth: depth + 1))
            }
            return plain
        default:
            return NSNull()
        }
    }

    /// Tells booleans, integers and fractions apart.
    ///
    /// `is Bool` is true of 0 and 1 and of no boolean that `JSONSerialization` makes on Linux.
    /// The type code is reliable: `c` is made of `true` and `false` only, since no number is
    /// stored in eight bits; `Q` of what is too big for an `Int`.
    private static func plainNumber(_ number: NSNumber) -> any Sendable {
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "c"):
            return number.boolValue
        case UInt8(ascii: "i"), UInt8(ascii: "q"):
            return number.intValue
        case UInt8(ascii: "Q"):
            return Int(exactly: number.uint64Value) ?? number.uint64Value
        default:
            // The smallest Int arrives as a decimal number.
            if number is NSDecimalNumber, let integer = Int(number.stringValue) { return integer }
            return number.doubleValue
        }
    }
}

extension ResponseSerializer where Self == JSONResponseSerializer {
    /// Makes plain Swift values of JSON.
    public static var json: Self { Self() }
}
