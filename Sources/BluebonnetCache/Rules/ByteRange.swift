import Bluebonnet

/// A range of a body as a request asks for it (RFC 9110 section 14.1.2).
enum ByteRange: Equatable {
    /// The range, within the body.
    case part(Range<Int>)
    /// The body has no such bytes: 416.
    case unsatisfiable
    /// Something that the cache does not answer.
    case other

    init(_ text: String, ofBodyWith length: Int) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2,
            parts[0].trimmingOptionalWhitespace().equalsIgnoringCase("bytes")
        else {
            self = .other
            return
        }
        let bounds = parts[1].trimmingOptionalWhitespace()
            .split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2, let first = Self.number(bounds[0]),
            let last = Self.number(bounds[1])
        else {
            self = .other
            return
        }
        switch (first, last) {
        case (nil, nil): self = .other
        case (nil, let count?):
            self =
                count == 0 || length == 0
                ? .unsatisfiable : .part(max(0, length - min(count, length))..<length)
        case (let first?, let last):
            if let last, last < first {
                self = .other
            } else if first >= length {
                self = .unsatisfiable
            } else {
                self = .part(first..<min(last.map { $0 == .max ? .max : $0 + 1 } ?? length, length))
            }
        }
    }

    /// Returns a number, nil for none, and nothing for what is no number; a large one is cut.
    private static func number(_ text: Substring) -> Int?? {
        if text.isEmpty { return .some(nil) }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return .some(Int(text) ?? .max)
    }
}

extension StoredResponse {
    /// Whether a range of this response may answer a request with `If-Range` (RFC 9110 section
    /// 13.1.5).
    func meetsRangeCondition(_ fields: [Exchange.Field]) -> Bool {
        guard let condition = fields.firstValue(of: "If-Range") else { return true }
        if let tag = EntityTag(condition) { return rules.entityTag?.isIdentical(to: tag) ?? false }
        guard let date = CacheDate.seconds(condition, now: responseDate),
            let modified = rules.lastModified, rules.entityTag == nil
        else { return false }
        // A date that is too close to the response's own says nothing for sure.
        return modified == date && rules.date - modified >= 1
    }
}
