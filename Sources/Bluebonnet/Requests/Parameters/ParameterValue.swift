import Foundation

/// A value in a request, after all accepted Swift and Foundation types have been recognized.
///
/// ``ParameterWalk`` creates it, and the writers of queries, JSON and property lists consume it. It
/// is at most ``ParameterWalk/maximumDepth`` levels deep, and the format can represent its numbers
/// and dates, so writers cannot fail.
package enum ParameterValue: Sendable {
    case null
    case bool(Bool)
    case integer(Int128)
    /// An integer that is too large for `Int128`.
    case hugeInteger(digits: String)
    /// A number, with the fewest digits that read back as the same value of its original type.
    case floating(Double, digits: String)
    case decimal(Decimal)
    case string(String)
    case date(Date)
    case data(Data)
    case array([ParameterValue])
    case set([ParameterValue])
    /// Pairs in the order in which they are written.
    case dictionary([(key: String, value: ParameterValue)])
}

extension ParameterValue {
    package static func integer(_ value: some BinaryInteger) -> ParameterValue {
        guard let integer = Int128(exactly: value) else {
            return .hugeInteger(digits: String(value, radix: 10))
        }
        return .integer(integer)
    }

    package static func floating(_ value: some BinaryFloatingPoint) -> ParameterValue {
        let text = "\(value)"
        // Whole numbers are written as by NSNumber and JSONEncoder: `1`, not `1.0`.
        return .floating(
            Double(value), digits: text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }

    /// The text of a scalar; nil for null and for values that contain others.
    ///
    /// A Bool is `1` or `0`. Numbers are exact: floating-point numbers have the fewest digits that
    /// read back as the same value, without a trailing `.0`. Dates are ISO 8601 in UTC, to the
    /// second. Data is base64.
    var text: String? {
        switch self {
        case .bool(let value): value ? "1" : "0"
        case .integer(let value): Int64(exactly: value).map { String($0) } ?? String(value)
        case .hugeInteger(let digits): digits
        case .floating(_, let digits): digits
        case .decimal(let value): value.description
        case .string(let value): value
        case .date(let value): TimestampText.text(of: value)
        case .data(let value): value.base64EncodedString()
        case .null, .array, .set, .dictionary: nil
        }
    }

    /// Whether the value is null or a single value.
    var isScalar: Bool {
        switch self {
        case .array, .set, .dictionary: false
        default: true
        }
    }

    /// The `Double` that is nearest to a number; 0 for everything else.
    var double: Double {
        switch self {
        case .integer(let value): Double(value)
        case .hugeInteger(let digits): Double(digits) ?? 0
        case .floating(let value, _): value
        case .decimal(let value): Double(value.description) ?? 0
        default: 0
        }
    }

    /// A scalar as a Swift type; nil for values that contain others.
    var object: (any Sendable)? {
        switch self {
        case .null: NSNull()
        case .bool(let value): value
        case .integer(let value): Int(exactly: value) ?? UInt(exactly: value) ?? value
        case .hugeInteger(let digits): digits
        // A Float of 0.1 becomes the Double that is written as 0.1.
        case .floating(let value, let digits): Double(digits) ?? value
        case .decimal(let value): value
        case .string(let value): value
        case .date(let value): value
        case .data(let value): value
        case .array, .set, .dictionary: nil
        }
    }

    /// Encodes a scalar.
    func encode(into container: inout any SingleValueEncodingContainer) throws {
        switch self {
        case .null, .array, .set, .dictionary: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value):
            if let value = Int(exactly: value) { return try container.encode(value) }
            if let value = UInt64(exactly: value) { return try container.encode(value) }
            try container.encode(value)
        case .hugeInteger(let digits): try container.encode(digits)
        case .floating(let value, let digits): try container.encode(Double(digits) ?? value)
        case .decimal(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .date(let value): try container.encode(value)
        case .data(let value): try container.encode(value)
        }
    }
}
