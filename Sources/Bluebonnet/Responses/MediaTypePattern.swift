import BluebonnetTransport
import Foundation

/// A pattern for media types.
///
/// `*` stands for any type or subtype, and a suffix such as `+json` for every type that ends in it.
package struct MediaTypePattern {
    private let type: Substring
    private let subtype: Substring

    package init(_ text: String) {
        let essence = text.prefix { $0 != ";" }.trimmed
        let parts = essence.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2 {
            (type, subtype) = (parts[0], parts[1])
        } else if essence.hasPrefix("+") {
            (type, subtype) = ("*", "*" + essence)
        } else {
            (type, subtype) = (essence, "")
        }
    }

    /// Whether the pattern matches a media type without parameters; nil is a body without a type.
    package func accepts(_ mediaType: String?) -> Bool {
        guard let mediaType else { return type == "*" && subtype == "*" }
        let parts = mediaType.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            return subtype.isEmpty && Self.matches(type, parts.first ?? "")
        }
        return Self.matches(type, parts[0]) && Self.matches(subtype, parts[1])
    }

    private static func matches(_ pattern: Substring, _ text: Substring) -> Bool {
        if pattern == "*" { return !text.isEmpty }
        guard pattern.hasPrefix("*+") else {
            return String(text).caseInsensitiveEquals(String(pattern))
        }
        let suffix = pattern.dropFirst()
        return text.count > suffix.count
            && String(text.suffix(suffix.count)).caseInsensitiveEquals(String(suffix))
    }
}
