import Foundation

/// A name for a response's body, made safe whatever the server sent.
///
/// Candidates are, in this order, `filename*` and `filename` of `Content-Disposition`, the last
/// component of the URL's path, and `download`. Of a candidate is taken what follows the last `/`
/// or `\`, without control characters, line separators, and the marks that turn the direction of
/// text and so hide how a name ends. White space at the ends and every dot at the start go, so no
/// name is `.`, `..` or hidden: `.profile` becomes `profile`. A name has at most 255 bytes of
/// UTF-8; a longer one is cut between characters and keeps a short extension.
struct SuggestedFilename: Sendable, Hashable {
    static let fallback = "download"
    /// What Linux file systems allow (`NAME_MAX`).
    static let maximumLength = 255
    /// An extension with its dot that is longer is a part of the name.
    private static let maximumExtensionLength = 32

    let text: String

    init(_ head: ResponseHead) {
        let candidates = Self.dispositionNames(head) + [Self.lastComponent(of: head.url)]
        text = candidates.lazy.compactMap { $0.flatMap(Self.sanitize) }.first ?? Self.fallback
    }

    private static func dispositionNames(_ head: ResponseHead) -> [String?] {
        guard let field = head.value(of: "Content-Disposition") else { return [] }
        let disposition = ContentDisposition(field)
        return [disposition.extendedFilename, disposition.filename]
    }

    /// Split before the percent signs are decoded, and cut again after: `%2F` is a slash too.
    private static func lastComponent(of url: URL) -> String? {
        let path = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? ""
        guard let component = path.split(separator: "/").last else { return nil }
        return component.removingPercentEncoding ?? String(component)
    }

    /// The name without what is dangerous in it; nil when nothing is left.
    ///
    /// Works by scalars: a mark that combines with a slash or a dot makes
    /// another character of it for Swift, and none for the file system.
    static func sanitize(_ name: String) -> String? {
        let base =
            name.unicodeScalars.split(
                omittingEmptySubsequences: false, whereSeparator: { $0 == "/" || $0 == "\\" }
            ).last ?? Substring(name).unicodeScalars[...]
        var scalars = base.filter(isAllowed)[...]
        scalars = scalars.drop { $0 == "." || $0.properties.isWhitespace }
        while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
        let clean = String(String.UnicodeScalarView(scalars))
        return clean.isEmpty ? nil : cut(clean)
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Marks and overrides of the direction of text, and the byte order mark.
        case 0x061C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: return false
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return false
        default: return true
        }
    }

    private static func cut(_ name: String) -> String {
        guard name.utf8.count > maximumLength else { return name }
        var suffix: Substring = ""
        if let dot = name.lastIndex(of: "."), name[dot...].utf8.count <= maximumExtensionLength {
            suffix = name[dot...]
        }
        var length = 0
        let stem = name.dropLast(suffix.count).prefix { character in
            length += character.utf8.count
            return length <= maximumLength - suffix.utf8.count
        }
        // A single character can be longer than a name.
        return (stem.isEmpty ? fallback : String(stem)) + suffix
    }
}

extension ResponseHead {
    /// A file name for the body: from `Content-Disposition`, else from the URL, else `download`.
    ///
    /// It is safe to append to a directory, whatever the server sent: a single path component of at
    /// most 255 bytes, never empty, hidden, `.` or `..`, without separators and control characters.
    /// Sources: RFC 6266 and RFC 8187.
    public var suggestedFilename: String { SuggestedFilename(self).text }
}
