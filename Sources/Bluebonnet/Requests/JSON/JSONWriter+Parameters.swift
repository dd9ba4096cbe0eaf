import Foundation

extension JSONWriter {
    /// Returns the JSON text of a value.
    static func data(
        of value: ParameterValue,
        options: JSONBodyEncoder.WritingOptions = []
    ) -> Data {
        var writer = JSONWriter(options)
        writer.write(value, depth: 0)
        return writer.buffer.take()
    }

    /// Writes a value at a depth of nested arrays and objects.
    mutating func write(_ value: ParameterValue, depth: Int) {
        switch value {
        case .null: writeNull()
        case .bool(let value): write(value)
        case .integer(let value): write(value)
        case .hugeInteger, .floating, .decimal: buffer.append(value.text ?? "null")
        case .string, .date, .data: write(value.text ?? "")
        case .array(let elements), .set(let elements):
            write(elements, between: "[", "]", depth) { $0.write($1, depth: depth + 1) }
        case .dictionary(let pairs):
            write(pairs, between: "{", "}", depth) { writer, pair in
                writer.write(pair.key)
                writer.writeColon()
                writer.write(pair.value, depth: depth + 1)
            }
        }
    }

    private mutating func write<Element>(
        _ elements: [Element],
        between opening: Unicode.Scalar,
        _ closing: Unicode.Scalar,
        _ depth: Int,
        _ writeElement: (inout JSONWriter, Element) -> Void
    ) {
        buffer.append(UInt8(ascii: opening))
        for (index, element) in elements.enumerated() {
            if index > 0 { buffer.append(UInt8(ascii: ",")) }
            breakLine(depth + 1)
            writeElement(&self, element)
        }
        if !elements.isEmpty { breakLine(depth) }
        buffer.append(UInt8(ascii: closing))
    }
}
