import BluebonnetTransport
import Foundation

/// An item of a query or form, as it is written.
struct QueryItem {
    /// The name and its sign, if there is one.
    private let start: Substring
    private(set) var value: Substring
    /// The name without escapes; nil if the item has no sign.
    let name: String?
    /// Whether the name says that the value is secret.
    let isSecret: Bool

    fileprivate init(_ text: Substring) {
        guard let sign = text.utf8.firstIndex(of: UInt8(ascii: "=")) else {
            (start, value, name, isSecret) = ("", text, nil, false)
            return
        }
        (start, value) = (text[...sign], text[text.utf8.index(after: sign)...])
        let escaped = text[..<sign].replacing("+", with: " ")
        let name = escaped.removingPercentEncoding ?? String(escaped)
        (self.name, isSecret) = (name, SecretFieldNames.contains(name))
    }

    /// The items that semicolons separate.
    ///
    /// A secret value may hold semicolons itself. It goes on up to what has a name and a value.
    static func all(betweenSemicolonsOf text: Substring) -> [QueryItem] {
        var items: [QueryItem] = []
        let pieces = text.utf8.split(
            separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        for piece in pieces {
            if let last = items.last, last.isSecret, !isNamed(piece) {
                let value = text[last.value.startIndex..<piece.endIndex]
                items[items.count - 1].value = value
            } else {
                items.append(QueryItem(Substring(piece)))
            }
        }
        return items
    }

    /// Whether a piece has a sign with anything behind it but signs, in which Base64 ends.
    private static func isNamed(_ piece: Substring.UTF8View) -> Bool {
        let sign = UInt8(ascii: "=")
        return piece.firstIndex(of: sign).map { piece[$0...].contains { $0 != sign } } ?? false
    }

    fileprivate var redacted: String { "\(start)\(isSecret ? SecretSearch.mark[...] : value)" }
}

// By bytes throughout, for a mark that combines with a sign makes another `Character` of it.
extension Substring {
    /// The items of a query or form with `<redacted>` for the values of those whose names say that they are secret.
    func redactingItems() -> String {
        utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { items in
            QueryItem.all(betweenSemicolonsOf: Substring(items)).map(\.redacted)
                .joined(separator: ";")
        }.joined(separator: "&")
    }
}
