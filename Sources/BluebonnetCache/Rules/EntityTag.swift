import Bluebonnet

/// The validator of a representation (RFC 9110 section 8.8.3).
struct EntityTag: Sendable, Hashable {
    let isWeak: Bool
    /// The quoted part, with its quotes.
    let opaque: String

    /// Reads one tag; returns nil for anything else.
    init?(_ text: some StringProtocol) {
        let isWeak = text.hasPrefix("W/")
        let opaque = Array((isWeak ? text.dropFirst(2) : text[...]).utf8)
        guard opaque.count >= 2, opaque.first == 0x22, opaque.last == 0x22,
            opaque.dropFirst().dropLast().allSatisfy({ $0 == 0x21 || $0 >= 0x23 && $0 != 0x7F })
        else { return nil }
        self.isWeak = isWeak
        self.opaque = String(decoding: opaque, as: UTF8.self)
    }

    var isStrong: Bool { !isWeak }

    /// Compares strongly: both are strong and identical.
    func isIdentical(to other: Self) -> Bool {
        isStrong && other.isStrong && opaque == other.opaque
    }

    /// Compares weakly.
    func isEquivalent(to other: Self) -> Bool { opaque == other.opaque }

    /// The tags of a list, such as that of `If-None-Match`.
    static func list(_ values: [String]) -> [Self] {
        // Not a list of tokens: a backslash does not escape, and a comma may stand in a tag.
        var tags: [Self] = []
        for value in values {
            var rest = Substring(value)
            while true {
                rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "," }
                guard let open = rest.firstIndex(of: "\""),
                    let close = rest[rest.index(after: open)...].firstIndex(of: "\"")
                else { break }
                if let tag = Self(rest[...close]) { tags.append(tag) }
                rest = rest[rest.index(after: close)...]
            }
        }
        return tags
    }
}
