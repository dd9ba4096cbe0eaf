import BluebonnetTransport
import Foundation

// Bodies, by the names in them.
extension TaskRedactor {
    /// A body without its secrets.
    package enum RedactedBody {
        case text(String)
        /// A body in which names cannot be found, and the note that replaces it.
        case opaque(note: String)
    }

    /// Returns a body with `<redacted>` in place of secrets, or a note if names cannot be found in
    /// it.
    ///
    /// Such a body is not text, has a content coding, or looks like JSON but is not valid.
    ///
    /// - Parameters:
    ///   - body: The whole body.
    ///   - contentType: The value of `Content-Type`; nil if there is none.
    ///   - isCoded: Whether the body has a content coding.
    ///   - author: The author of the body.
    ///   - limit: The largest number of bytes to show; a longer body is not checked for valid JSON.
    /// - Returns: The text or the note.
    package func redacted(
        _ body: Data, contentType: String?, isCoded: Bool, by author: Author, limit: Int = .max
    ) -> RedactedBody {
        if body.isEmpty { return .text("") }
        let note = "\(body.count) bytes of the body are redacted"
        let isCut = body.count > limit
        let shown = isCut ? body.prefix(upToCharacterAt: limit + Self.bytesBeyond) : body
        guard let text = String(validating: shown, as: UTF8.self), !isCoded,
            text.unicodeScalars.allSatisfy({ $0.isPlain || $0 == "\t" || $0 == "\r" })
        else { return .opaque(note: note) }
        let syntax = Redactor.Syntax(of: text, contentType)
        if syntax == .text, !isCut,
            (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed))
                == nil
        {
            return .opaque(note: "\(note): they are not valid JSON")
        }
        return .text(
            redactor(for: author).redacted(text, as: syntax, limit: isCut ? limit : .max))
    }

    /// The bytes to search after the end of a body that is cut, so that no secret is shown in part.
    private static let bytesBeyond = 256

    /// Returns text from a body, redacted like a whole body as far as names can be found in it.
    package func redacted(_ text: String, contentType: String?, limit: Int = .max) -> String {
        redactor(for: .server)
            .redacted(text, as: Redactor.Syntax(of: text, contentType), limit: limit)
    }
}

extension Redactor.Syntax {
    /// Determines the syntax of a body, which is only `text` for JSON.
    ///
    /// A body that is neither JSON nor a form can contain parts of both.
    fileprivate init(of text: String, _ contentType: String?) {
        let type = contentType?.lowercased() ?? ""
        let first = text.utf8.first { !" \t\r\n".utf8.contains($0) }
        let looksLikeJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        // The name of an item can start with a bracket.
        let isForm = type.hasPrefix("application/x-www-form-urlencoded")
        self = !isForm && (type.contains("json") || looksLikeJSON) ? .text : [.text, .form]
    }
}

extension Redactor.KnownValue {
    /// The largest number of bytes of a body that is searched.
    private static let longestSearchedBody = 64 * 1024
    /// The most secrets that are taken from a body, since each of them is searched for in each
    /// text.
    private static let largestCount = 100
    /// The largest number of bytes of a value that is searched for.
    private static let longestValue = 4096

    /// Returns the strings and numbers in a body whose names are secret.
    static func all(inBody body: Data, _ contentType: String?) -> [Self] {
        let start = body.prefix(upToCharacterAt: longestSearchedBody)
        guard let text = String(validating: start, as: UTF8.self) else { return [] }
        let findings = Redactor().findings(
            in: Array(text.utf8), as: Redactor.Syntax(of: text, contentType))
        let values = findings.lazy.filter { finding in
            let isNumber = finding.value.utf8.first.map { "-0123456789".utf8.contains($0) } ?? false
            return (!finding.isUnquoted || isNumber) && finding.value.utf8.count <= longestValue
        }
        return values.prefix(largestCount).map {
            Self(sent: $0.value.trimmingCharacters(in: .whitespacesAndNewlines), name: $0.name)
        }
    }
}

extension Data {
    /// Returns the beginning of UTF-8 text, cut before the character that crosses a length.
    package func prefix(upToCharacterAt length: Int) -> Data {
        guard count > length else { return self }
        var end = startIndex + length
        while end > startIndex, self[end] & 0xC0 == 0x80 { end -= 1 }
        return self[..<end]
    }
}
