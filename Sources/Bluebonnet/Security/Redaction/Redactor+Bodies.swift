import BluebonnetTransport
import Foundation

// Bodies, by the names in them.
extension Redactor {
    /// A body without its secrets.
    enum RedactedBody {
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
    func redacted(
        _ body: Data, contentType: String?, isCoded: Bool, by author: Author, limit: Int = .max
    ) -> RedactedBody {
        if body.isEmpty { return .text("") }
        let note = "\(body.count) bytes of the body are redacted"
        let isCut = body.count > limit
        let shown = isCut ? body.prefix(upToCharacterAt: limit + Self.bytesBeyond) : body
        guard let text = String(validating: shown, as: UTF8.self), !isCoded,
            text.unicodeScalars.allSatisfy({ $0.isPlain || $0 == "\t" || $0 == "\r" })
        else { return .opaque(note: note) }
        let syntax = BodySyntax(of: text, contentType)
        if syntax == .json, !isCut,
            (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed))
                == nil
        {
            return .opaque(note: "\(note): they are not valid JSON")
        }
        return .text(
            redacted(text.redactingValues(in: syntax), by: author, limit: isCut ? limit : .max))
    }

    /// The bytes to search after the end of a body that is cut, so that no secret is shown in part.
    private static let bytesBeyond = 256

    /// Returns text from a body, redacted like a whole body as far as names can be found in it.
    func redacted(_ text: String, contentType: String?, limit: Int = .max) -> String {
        let syntax = BodySyntax(of: text, contentType)
        return redacted(text.redactingValues(in: syntax), by: .server, limit: limit)
    }
}

/// The way in which names and values are written in a body.
enum BodySyntax {
    case form
    case json
    /// Any other text, which can contain parts of both.
    case other

    /// Determines the syntax of a text.
    init(of text: String, _ contentType: String?) {
        let type = contentType?.lowercased() ?? ""
        let first = text.utf8.first { !" \t\r\n".utf8.contains($0) }
        if type.hasPrefix("application/x-www-form-urlencoded") {
            // The name of an item can start with a bracket.
            self = .form
        } else if type.contains("json") || first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        {
            self = .json
        } else {
            self = .other
        }
    }
}

extension String {
    /// Returns the text with `<redacted>` in place of values whose names are secret.
    fileprivate func redactingValues(in syntax: BodySyntax) -> String {
        switch syntax {
        case .form: self[...].redactingItems()
        case .json: redactingMembers()
        case .other: redactingMembers()[...].redactingItems()
        }
    }
}

extension Secret {
    /// The largest number of bytes of a body that is searched.
    private static let longestSearchedBody = 64 * 1024
    /// The most secrets that are taken from a body, since each of them is searched for in each
    /// text.
    private static let largestCount = 100
    /// The largest number of bytes of a value that is searched for.
    private static let longestValue = 4096

    /// Returns the values in a body whose names are secret.
    static func all(inBody body: Data, _ contentType: String?) -> [Secret] {
        let start = body.prefix(upToCharacterAt: longestSearchedBody)
        guard let text = String(validating: start, as: UTF8.self) else { return [] }
        let secrets =
            switch BodySyntax(of: text, contentType) {
            case .form: text[...].secretItems()
            case .json: text.secretMembers()
            case .other: text.secretMembers() + text[...].secretItems()
            }
        return Array(
            secrets.lazy.filter { $0.value.utf8.count <= longestValue }.prefix(largestCount))
    }
}

extension Data {
    /// Returns the beginning of UTF-8 text, cut before the character that crosses a length.
    func prefix(upToCharacterAt length: Int) -> Data {
        guard count > length else { return self }
        var end = startIndex + length
        while end > startIndex, self[end] & 0xC0 == 0x80 { end -= 1 }
        return self[..<end]
    }
}
