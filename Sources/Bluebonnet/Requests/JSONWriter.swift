import Foundation

/// Writes JSON (RFC 8259) without white space, with sorted keys and exact numbers.
///
/// Foundation's `JSONSerialization` is not used because it traps on values that it does not know.
struct JSONWriter {
    private var bytes: [UInt8] = []

    /// The parameters as a JSON object.
    static func data(of parameters: Parameters) throws(RequestSerializationError) -> Data {
        var writer = JSONWriter()
        writer.write(try ParameterWalk.value(of: parameters, for: .json))
        return Data(writer.bytes)
    }

    private mutating func write(_ value: ParameterValue) {
        switch value {
        case .null:
            bytes += "null".utf8
        case .bool(let value):
            bytes += (value ? "true" : "false").utf8
        case .integer, .floating, .decimal:
            bytes += (value.text ?? "null").utf8
        case .string, .date, .data:
            write(string: value.text ?? "")
        case .array(let elements), .set(let elements):
            write(elements, between: "[", "]") { $0.write($1) }
        case .dictionary(let pairs):
            write(pairs, between: "{", "}") { writer, pair in
                writer.write(string: pair.key)
                writer.bytes.append(UInt8(ascii: ":"))
                writer.write(pair.value)
            }
        }
    }

    private mutating func write<Element>(
        _ elements: [Element],
        between opening: Unicode.Scalar,
        _ closing: Unicode.Scalar,
        _ writeElement: (inout JSONWriter, Element) -> Void
    ) {
        bytes.append(UInt8(ascii: opening))
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            writeElement(&self, element)
        }
        bytes.append(UInt8(ascii: closing))
    }

    private mutating func write(string: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""): bytes += "\\\"".utf8
            case UInt8(ascii: "\\"): bytes += "\\\\".utf8
            case 0x08: bytes += "\\b".utf8
            case 0x09: bytes += "\\t".utf8
            case 0x0A: bytes += "\\n".utf8
            case 0x0C: bytes += "\\f".utf8
            case 0x0D: bytes += "\\r".utf8
            case 0..<0x10: bytes += "\\u000\(String(byte, radix: 16))".utf8
            case 0x10..<0x20: bytes += "\\u00\(String(byte, radix: 16))".utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
