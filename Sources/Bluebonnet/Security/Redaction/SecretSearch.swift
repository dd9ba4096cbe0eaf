/// A search for secrets in a text, regardless of escapes, that redacts them.
///
/// It also finds parts of secrets, because a text might have been cut before the search.
struct SecretSearch {
    /// The number of bytes compared at once, and so the minimum length of a part that is found.
    static let windowLength = 8
    /// The text that replaces a secret.
    static let mark = "<redacted>"

    private let text: String
    private let unescaped: UnescapedText
    /// Every sequence of eight consecutive bytes in the unescaped text.
    private let windows: [UInt64]
    private var isSecret: [Bool]

    init(in text: String) {
        self.text = text
        unescaped = UnescapedText(text)
        windows = Self.windows(of: unescaped.bytes)
        isSecret = Array(repeating: false, count: unescaped.bytes.count)
    }

    private static func windows(of bytes: [UInt8]) -> [UInt64] {
        var window: UInt64 = 0
        var windows: [UInt64] = []
        for (index, byte) in bytes.enumerated() {
            window = window << 8 | UInt64(byte)
            if index >= windowLength - 1 { windows.append(window) }
        }
        return windows
    }

    /// Marks the places where a secret occurs.
    mutating func find(_ pattern: SecretPattern) {
        if pattern.bytes.count < Self.windowLength {
            findWhole(pattern)
        } else {
            findPieces(of: pattern)
        }
    }

    private mutating func findPieces(of pattern: SecretPattern) {
        let wanted = Set(Self.windows(of: pattern.bytes))
        var run = 0..<0
        // One step past the last window ends the last run.
        for place in 0...windows.count {
            if place < windows.count, wanted.contains(windows[place]) {
                let start = run.upperBound >= place ? run.lowerBound : place
                run = start..<(place + Self.windowLength)
            } else if place == run.upperBound || place == windows.count {
                if run.count >= pattern.shortestPiece { hide(run) }
                run = 0..<0
            }
        }
    }

    private mutating func findWhole(_ pattern: SecretPattern) {
        let (bytes, count) = (unescaped.bytes, pattern.bytes.count)
        guard count <= bytes.count else { return }
        for start in 0...(bytes.count - count) where bytes[start] == pattern.bytes[0] {
            let place = start..<(start + count)
            guard bytes[place].elementsEqual(pattern.bytes),
                !pattern.isShort || isWord(place),
                pattern.name.map({ stands($0, before: start) }) ?? true
            else { continue }
            hide(place)
        }
    }

    private func isWord(_ place: Range<Int>) -> Bool {
        let bytes = unescaped.bytes
        let before = place.lowerBound > 0 && bytes[place.lowerBound - 1].isLetterOrDigit
        let after = place.upperBound < bytes.count && bytes[place.upperBound].isLetterOrDigit
        return !before && !after
    }

    /// Returns whether a name precedes a place, with at most a few characters such as `": "`
    /// between.
    private func stands(_ name: [UInt8], before place: Int) -> Bool {
        let before = unescaped.bytes[..<place]
        let gap = before.suffix(6).reversed().prefix { !$0.isLetterOrDigit }.count
        return before.dropLast(gap).suffix(name.count).elementsEqual(name)
    }

    private mutating func hide(_ place: Range<Int>) {
        for index in place { isSecret[index] = true }
    }

    /// Returns the text up to a place, with secrets replaced, including one that crosses the end.
    func redactedText(upTo end: String.Index) -> String {
        let end = text.utf8.distance(from: text.startIndex, to: end)
        var shown: [UInt8] = []
        var place = 0
        for secret in secretPlaces where secret.lowerBound < end {
            shown += bytes(place..<secret.lowerBound)
            shown += Self.mark.utf8
            place = secret.upperBound
        }
        if place < end { shown += bytes(place..<end) }
        return String(decoding: shown, as: UTF8.self)
    }

    private func bytes(_ range: Range<Int>) -> Substring.UTF8View {
        let start = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
        return text.utf8[start..<text.utf8.index(start, offsetBy: range.count)]
    }

    /// The places of the secrets in the text's UTF-8, in order and on character boundaries.
    private var secretPlaces: [Range<Int>] {
        let utf8 = Array(text.utf8)
        var places: [Range<Int>] = []
        for (index, place) in unescaped.places.enumerated() where isSecret[index] {
            var (start, end) = (place.lowerBound, place.upperBound)
            while start > 0, utf8[start].isContinuation { start -= 1 }
            while end < utf8.count, utf8[end].isContinuation { end += 1 }
            if let last = places.last, last.upperBound >= start {
                places[places.count - 1] = last.lowerBound..<max(end, last.upperBound)
            } else {
                places.append(start..<end)
            }
        }
        return places
    }
}

extension UInt8 {
    /// Whether the byte is part of a word: an ASCII letter or digit, or not an ASCII character.
    var isLetterOrDigit: Bool {
        (0x30...0x39).contains(self) || (0x61...0x7A).contains(asciiLowercased) || self >= 0x80
    }

    /// Whether the byte continues a character of UTF-8.
    fileprivate var isContinuation: Bool { self & 0xC0 == 0x80 }
}
