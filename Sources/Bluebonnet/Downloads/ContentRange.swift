/// The value of a `Content-Range` field in bytes (RFC 9110 section 14.4).
struct ContentRange: Sendable, Hashable {
    /// The positions of the first and last byte; nil if no range was sent (`bytes */10`).
    let bounds: ClosedRange<Int64>?
    /// The length of the complete body; nil if the server does not know it (`bytes 5-9/*`).
    let total: Int64?

    /// Parses a field value; returns nil if it is malformed, uses another unit, or exceeds 63 bits.
    init?(_ text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        let halves = parts[1].split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }

        if halves[1] == "*" {
            total = nil
        } else {
            guard let number = Self.number(halves[1]) else { return nil }
            total = number
        }
        if halves[0] == "*" {
            guard total != nil else { return nil }
            bounds = nil
        } else {
            let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
            guard ends.count == 2, let first = Self.number(ends[0]),
                let last = Self.number(ends[1]), first <= last
            else { return nil }
            if let total, last >= total { return nil }
            bounds = first...last
        }
    }

    /// Parses digits only, because `Int64` also accepts a sign.
    private static func number(_ text: Substring) -> Int64? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }
}
