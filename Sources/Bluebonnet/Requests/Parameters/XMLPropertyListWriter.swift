import Foundation

/// A writer of property lists as XML, in Apple's layout, with sorted keys.
///
/// Foundation's writers do not escape carriage returns, which XML readers convert to line feeds.
/// `PropertyListEncoder` writes dates before 1582 in another calendar than Foundation reads, and
/// `PropertyListSerialization` writes 0.1 with 17 digits and -0.0 without its sign.
struct XMLPropertyListWriter {
    private var text = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
        "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">

        """
    private var depth = 0

    /// Returns the bytes of a value that the format can represent.
    static func data(of value: ParameterValue) -> Data {
        var writer = XMLPropertyListWriter()
        writer.write(value)
        return Data((writer.text + "</plist>\n").utf8)
    }

    private mutating func write(_ value: ParameterValue) {
        switch value {
        case .bool(let value): line(value ? "<true/>" : "<false/>")
        case .integer, .hugeInteger: line("<integer>\(value.text ?? "0")</integer>")
        case .floating, .decimal:
            line("<real>\(ParameterValue.floating(value.double).text ?? "0")</real>")
        case .string(let text): line("<string>\(Self.escaped(text))</string>")
        case .date(let date): line("<date>\(TimestampText.text(of: date, .gregorian))</date>")
        case .data: line("<data>\(value.text ?? "")</data>")
        case .array(let elements), .set(let elements):
            write(elements, as: "array") { $0.write($1) }
        case .dictionary(let pairs):
            write(pairs, as: "dict") { writer, pair in
                writer.line("<key>\(Self.escaped(pair.key))</key>")
                writer.write(pair.value)
            }
        // The walk rejects null; a string is valid in every property list.
        case .null: line("<string></string>")
        }
    }

    private mutating func write<Element>(
        _ elements: [Element],
        as name: String,
        _ writeElement: (inout XMLPropertyListWriter, Element) -> Void
    ) {
        guard !elements.isEmpty else { return line("<\(name)/>") }
        line("<\(name)>")
        depth += 1
        for element in elements { writeElement(&self, element) }
        depth -= 1
        line("</\(name)>")
    }

    private mutating func line(_ content: String) {
        // The outermost container is not indented, as in Apple's own files.
        text += String(repeating: "\t", count: depth) + content + "\n"
    }

    private static func escaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): bytes += "&amp;".utf8
            case UInt8(ascii: "<"): bytes += "&lt;".utf8
            case UInt8(ascii: ">"): bytes += "&gt;".utf8
            case UInt8(ascii: "\r"): bytes += "&#13;".utf8
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
