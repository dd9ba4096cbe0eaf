import BluebonnetTransport
import Foundation

/// An item of a query or form, as written.
struct QueryItem {
    /// The name with its equals sign, or empty if there is none.
    private let start: Substring
    private(set) var value: Substring
    /// The name without escapes, or nil if the item has no equals sign.
    let name: String?
    /// Whether the name marks the value as secret.
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

    /// Returns the items that semicolons separate.
    ///
    /// A secret value can contain semicolons. It extends to the next piece with a name and a value.
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

    /// Returns whether a piece has an equals sign that is not only Base64 padding.
    private static func isNamed(_ piece: Substring.UTF8View) -> Bool {
        let sign = UInt8(ascii: "=")
        return piece.firstIndex(of: sign).map { piece[$0...].contains { $0 != sign } } ?? false
    }

    fileprivate var redacted: String { "\(start)\(isSecret ? SecretSearch.mark[...] : value)" }
}

// Works on bytes, because a combining mark merges with a preceding separator into one `Character`.
extension Substring {
    /// Returns the values of a query or form whose names are secret.
    func secretItems() -> [Secret] {
        utf8.split(separator: UInt8(ascii: "&")).flatMap { items in
            QueryItem.all(betweenSemicolonsOf: Substring(items)).filter(\.isSecret)
                .map { Secret(String($0.value), name: $0.name) }
        }
    }

    /// Returns a query or form with `<redacted>` in place of values whose names are secret.
    func redactingItems() -> String {
        utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { items in
            QueryItem.all(betweenSemicolonsOf: Substring(items)).map(\.redacted)
                .joined(separator: ";")
        }.joined(separator: "&")
    }
}
