import Foundation

/// What may stand in parameters, after every accepted Swift and Foundation type was recognised.
///
/// ``ParameterWalk`` makes it, and the query, JSON and property list writers consume it. It is at
/// most ``ParameterWalk/maximumDepth`` deep, its numbers are finite and its dates have four-digit
/// years, so a writer cannot fail.
enum ParameterValue {
    case null
    case bool(Bool)
    case integer(any BinaryInteger)
    case floating(any BinaryFloatingPoint)
    case decimal(Decimal)
    case string(String)
    case date(Date)
    case data(Data)
    case array([ParameterValue])
    case set([ParameterValue])
    /// Pairs in the order of their keys.
    case dictionary([(key: String, value: ParameterValue)])
}

extension ParameterValue {
    /// The value of a scalar as text; nil for null and for what holds other values.
    ///
    /// A Bool is `1` or `0`. Numbers are exact: floating-point ones have the fewest digits that
    /// read back as the same value, without a trailing `.0`. A date is ISO 8601 in UTC to the
    /// second, data is base64.
    var text: String? {
        switch self {
        case .bool(let value): value ? "1" : "0"
        case .integer(let value): Self.text(of: value)
        case .floating(let value): Self.text(of: value)
        case .decimal(let value): value.description
        case .string(let value): value
        case .date(let value): TimestampText.text(of: value)
        case .data(let value): value.base64EncodedString()
        case .null, .array, .set, .dictionary: nil
        }
    }

    /// The nearest `Double` of a number; 0 for everything else.
    var double: Double {
        switch self {
        case .integer(let value): Double(value)
        case .floating(let value): Double(value)
        case .decimal(let value): Double(value.description) ?? 0
        default: 0
        }
    }

    private static func text(of value: some BinaryInteger) -> String {
        String(value, radix: 10)
    }

    private static func text(of value: some BinaryFloatingPoint) -> String {
        let text = "\(value)"
        // What NSNumber and JSONEncoder print for a whole number: `1`, not `1.0`.
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
