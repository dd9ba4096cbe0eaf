import Foundation

/// A short, printable excerpt of a body of any kind, for logs and error descriptions.
enum BodyExcerpt {
    private static let maximumCharacters = 120
    private static let maximumBytes = 16
    /// Extra characters to search, so that a secret across the cut is recognized even if it is
    /// escaped.
    private static let charactersBeyond = 256

    /// Returns the first characters of a text, or the first bytes in hexadecimal; nil for an empty
    /// body.
    ///
    /// Secrets are redacted before the text is cut.
    static func text(
        _ body: Data, charset: String?, contentType: String? = nil,
        redactor: TaskRedactor = TaskRedactor()
    ) -> String? {
        guard !body.isEmpty else { return nil }
        let start = start(of: body, characters: maximumCharacters)
        guard let text = decoded(start, charset: charset), !looksBinary(text) else {
            return hexadecimal(body, redactor)
        }
        let isWhole = start.count == body.count && text.unicodeScalars.count <= maximumCharacters
        let more = Self.start(of: body, characters: maximumCharacters + charactersBeyond)
        let shown = redactor.redacted(
            decoded(more, charset: charset) ?? text, contentType: contentType,
            limit: maximumCharacters
        )
        return printable(shown) + (isWhole ? "" : "…")
    }

    /// Returns enough bytes for `count` characters in any encoding, including the end of the last
    /// one.
    private static func start(of body: Data, characters count: Int) -> Data {
        Data(body.prefix(4 * count + 4))
    }

    /// Returns the text on one line, with control and invisible characters escaped.
    static func printable(_ text: String) -> String {
        var line = ""
        // By scalars: a server can put any number of them into one character.
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .lineSeparator, .paragraphSeparator, .spaceSeparator:
                line += " "
            case .control where scalar == "\n" || scalar == "\t" || scalar == "\r":
                line += " "
            case .control, .format, .surrogate, .privateUse, .unassigned:
                line += "\\u{\(String(scalar.value, radix: 16))}"
            default:
                line.unicodeScalars.append(scalar)
            }
        }
        return line
    }

    private static func decoded(_ start: Data, charset: String?) -> String? {
        if let mark = TextEncoding.ByteOrderMark(of: start, charset: charset) {
            return longest(start.dropFirst(mark.length), in: mark.encoding)
        }
        let named = charset.flatMap { TextEncoding.named($0) }
        if let named, let text = longest(start, in: named) { return text }
        return longest(start, in: .utf8)
    }

    /// Decodes the bytes, without a last character that was cut in the middle.
    private static func longest(_ bytes: Data, in encoding: String.Encoding) -> String? {
        for cut in 0..<min(4, max(1, bytes.count)) {
            if let text = TextEncoding.decode(Data(bytes.dropLast(cut)), as: encoding) {
                return text
            }
        }
        return nil
    }

    private static func looksBinary(_ text: String) -> Bool {
        text.unicodeScalars.contains { $0.value == 0 }
    }

    private static func hexadecimal(_ body: Data, _ redactor: TaskRedactor) -> String {
        // Binary data and UTF-16 are searched as if they were ASCII.
        let scalars = body.prefix(4 * charactersBeyond).filter { $0 != 0 }
            .map { Unicode.Scalar($0) }
        let text = String(String.UnicodeScalarView(scalars))
        guard redactor.redacted(text, by: .server) == text else { return "bytes with a secret" }
        let bytes = body.prefix(maximumBytes).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
        let more = body.count > maximumBytes ? "…" : ""
        return "the bytes \(bytes.joined(separator: " "))\(more)"
    }
}
