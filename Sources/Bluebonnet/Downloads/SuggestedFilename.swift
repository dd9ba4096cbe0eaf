import Foundation

/// A safe file name for the body of a response, whatever the server sent.
///
/// The candidates are, in this order: `filename*` and `filename` of `Content-Disposition`, the last
/// component of the URL's path, and `download`. Only the part of a candidate after its last `/` or
/// `\` is used. Control characters and line separators are removed, and so are marks that change
/// the text direction, which can disguise the end of a name. White space at both ends and all dots
/// at the start are removed, so no name is `.`, `..` or hidden: `.profile` becomes `profile`. A
/// name has at most 255 bytes of UTF-8. A longer one is cut between characters and keeps a short
/// extension.
struct SuggestedFilename: Sendable, Hashable {
    static let fallback = "download"
    /// The maximum length of a name on Linux file systems, in bytes (`NAME_MAX`).
    static let maximumLength = 255
    /// The maximum length of an extension with its dot, in bytes; a longer one is treated as part
    /// of the name.
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

    /// Returns the last path component, split before decoding because `%2F` decodes to a slash.
    private static func lastComponent(of url: URL) -> String? {
        let path = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? ""
        guard let component = path.split(separator: "/").last else { return nil }
        return component.removingPercentEncoding ?? String(component)
    }

    /// Returns the name without unsafe characters; nil if nothing is left.
    ///
    /// Scalars are compared, because Swift combines a slash or a dot with a following mark into
    /// another character. The file system does not.
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
        // Text direction marks and overrides, and the byte order mark.
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
        // A single character can be longer than the limit.
        return (stem.isEmpty ? fallback : String(stem)) + suffix
    }
}

extension ResponseHead {
    /// A safe file name for the body: from `Content-Disposition`, else from the URL, else
    /// `download`.
    ///
    /// The name can be appended to a directory, whatever the server sent. It is a single path
    /// component of at most 255 bytes, without separators and control characters. It is never
    /// empty, hidden, `.` or `..`. See RFC 6266 and RFC 8187.
    public var suggestedFilename: String { SuggestedFilename(self).text }
}
