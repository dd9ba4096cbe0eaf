import Foundation

/// Writes property lists; Foundation does the encoding of values that are known to be allowed.
enum PropertyListWriter {
    /// The parameters as a property list whose root is a dictionary.
    static func data(
        of parameters: Parameters,
        format: PropertyListRequestSerializer.Format
    ) throws -> Data {
        let value = try ParameterWalk.value(of: parameters, for: .propertyList(format))
        return try PropertyListSerialization.data(
            fromPropertyList: object(of: value),
            format: format == .xml ? .xml : .binary,
            options: 0
        )
    }

    private static func object(of value: ParameterValue) -> Any {
        switch value {
        case .bool(let value): return value
        case .integer(let value): return integer(value)
        case .floating(let value): return Double(value)
        // A property list knows no decimals: the nearest Double is the best it can hold.
        case .decimal(let value): return Double(value.description) ?? 0
        case .string(let value): return value
        case .date(let value): return value
        case .data(let value): return value
        case .array(let values), .set(let values): return values.map(object)
        case .dictionary(let pairs):
            return Dictionary(pairs.map { ($0.key, object(of: $0.value)) }) { $1 }
        // The walk refuses it; text is what every format of property list can hold.
        case .null: return ""
        }
    }

    private static func integer(_ value: some BinaryInteger) -> Any {
        if let signed = Int64(exactly: value) { return signed }
        return UInt64(truncatingIfNeeded: value)
    }
}
