import Bluebonnet

/// The way to show a body on a terminal.
enum BodyKind: Equatable {
    /// UTF-8, shown as it comes.
    case text
    /// Shown with indentation once it is complete.
    case json
    /// Text with another character encoding, decoded once it is complete.
    case otherText
    case binary

    /// Decides by the head and the first piece of the body.
    init(_ head: ResponseHead, beginning: Data) {
        if let charset = head.charset, !["utf-8", "utf8", "us-ascii"].contains(charset) {
            self = .otherText
        } else if beginning.contains(0) || !Self.isUTF8(beginning) {
            self = .binary
        } else {
            self = Self.isJSON(head.mimeType ?? "") ? .json : .text
        }
    }

    /// Returns true also for a piece that ends within a character.
    private static func isUTF8(_ data: Data) -> Bool {
        (0...3).contains { String(validating: data.dropLast($0), as: UTF8.self) != nil }
    }

    private static func isJSON(_ type: String) -> Bool {
        type == "application/json" || type == "text/json" || type.hasSuffix("+json")
    }
}
