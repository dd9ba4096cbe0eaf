import Foundation

/// Writes JSON (RFC 8259) with sorted keys and exact numbers.
///
/// Foundation's `JSONSerialization` is not used because it traps on values that it does not know.
struct JSONWriter {
    private let options: JSONBodyEncoder.WritingOptions
    private var bytes: [UInt8] = []
    private var depth = 0

    private init(_ options: JSONBodyEncoder.WritingOptions) {
        self.options = options
    }

    /// The text of a value.
    static func data(
        of value: ParameterValue,
        options: JSONBodyEncoder.WritingOptions = []
    ) -> Data {
        var writer = JSONWriter(options)
        writer.write(value)
        return Data(writer.bytes)
    }

    private mutating func write(_ value: ParameterValue) {
        switch value {
        case .null:
            bytes += "null".utf8
        case .bool(let value):
            bytes += (value ? "true" : "false").utf8
        case .integer, .hugeInteger, .floating, .decimal:
            bytes += (value.text ?? "null").utf8
        case .string, .date, .data:
            write(string: value.text ?? "")
        case .array(let elements), .set(let elements):
            write(elements, between: "[", "]") { $0.write($1) }
        case .dictionary(let pairs):
            write(pairs, between: "{", "}") { writer, pair in
                writer.write(string: pair.key)
                writer.bytes += (writer.options.contains(.prettyPrinted) ? ": " : ":").utf8
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
        depth += 1
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            breakLine()
            writeElement(&self, element)
        }
        depth -= 1
        if !elements.isEmpty { breakLine() }
        bytes.append(UInt8(ascii: closing))
    }

    private mutating func breakLine() {
        guard options.contains(.prettyPrinted) else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes += repeatElement(UInt8(ascii: " "), count: 2 * depth)
    }

    private mutating func write(string: String) {
        bytes.append(UInt8(ascii: "\""))
        if options.contains(.escapedNonASCII) {
            for unit in string.utf16 {
                if let byte = UInt8(exactly: unit), byte < 0x80 {
                    write(byte)
                } else {
                    escape(unit)
                }
            }
        } else {
            for byte in string.utf8 { write(byte) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a byte of a string, escaped where it cannot stand for itself.
    private mutating func write(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): bytes += "\\\"".utf8
        case UInt8(ascii: "\\"): bytes += "\\\\".utf8
        case UInt8(ascii: "/") where options.contains(.escapedSlashes): bytes += "\\/".utf8
        case 0x08: bytes += "\\b".utf8
        case 0x09: bytes += "\\t".utf8
        case 0x0A: bytes += "\\n".utf8
        case 0x0C: bytes += "\\f".utf8
        case 0x0D: bytes += "\\r".utf8
        case 0..<0x20: escape(UInt16(byte))
        default: bytes.append(byte)
        }
    }

    private mutating func escape(_ unit: UInt16) {
        let digits = String(unit, radix: 16)
        bytes += "\\u".utf8
        bytes += repeatElement(UInt8(ascii: "0"), count: 4 - digits.utf8.count)
        bytes += digits.utf8
    }
}
