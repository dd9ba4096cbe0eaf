/// A search for known values in a text as it is, or without its escapes.
///
/// It also finds parts of values, because a text might have been cut before the search.
struct ValueSearch {
    /// The number of bytes compared at once, and so the minimum length of a part that is found.
    private static let windowLength = 8
    /// The largest number of bytes between a value and the name before it, as in `": "`.
    private static let largestGap = 6

    private let bytes: [UInt8]
    private let text: UnescapedText

    private init(_ bytes: [UInt8], _ text: UnescapedText) {
        self.bytes = bytes
        self.text = text
    }

    static func findings(
        of values: Set<Redactor.KnownValue>, in bytes: [UInt8]
    ) -> [Redactor.Finding] {
        let wanted = values.flatMap { value in
            // A value can have been sent with escapes, which the text does not have.
            Set([comparable(value.text, marks: ""), comparable(value.text, marks: "%\\")])
                .filter { !$0.isEmpty }.map { (value, $0) }
        }
        guard !wanted.isEmpty else { return [] }
        let groups = Dictionary(grouping: wanted) { min($0.1.count, windowLength) }
        let (hasPercents, hasBackslashes) = (bytes.contains(0x25), bytes.contains(0x5C))
        var views = [""]
        if hasPercents { views.append("%") }
        if hasBackslashes { views.append("\\") }
        if hasPercents && hasBackslashes { views.append("%\\") }
        return views.flatMap { marks in
            let search = Self(bytes, UnescapedText(bytes[...], marks: marks))
            let text = search.text.bytes.map(withoutPlus)
            return groups.flatMap { length, group in
                let windows = windows(of: text, length)
                return group.flatMap { value, wanted in
                    search.findings(of: value, wanted, in: windows)
                }
            }
        }
    }

    /// In a form, a plus sign is a space.
    private static func withoutPlus(_ byte: UInt8) -> UInt8 {
        byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte
    }

    private static func comparable(_ text: String, marks: String) -> [UInt8] {
        UnescapedText(Array(text.utf8)[...], marks: marks).bytes.map(withoutPlus)
    }

    /// Returns all sequences of up to eight consecutive bytes.
    private static func windows(of bytes: [UInt8], _ length: Int) -> [UInt64] {
        var window: UInt64 = 0
        var windows: [UInt64] = []
        for (index, byte) in bytes.enumerated() {
            window = (window << 8 | UInt64(byte)) & (UInt64.max >> UInt64(64 - 8 * length))
            if index >= length - 1 { windows.append(window) }
        }
        return windows
    }

    private func findings(
        of value: Redactor.KnownValue, _ wanted: [UInt8], in windows: [UInt64]
    ) -> [Redactor.Finding] {
        let length = min(wanted.count, Self.windowLength)
        let pieces = Set(Self.windows(of: wanted, length))
        var runs: [Range<Int>] = []
        for (start, window) in windows.enumerated() where pieces.contains(window) {
            if let last = runs.last, start < last.upperBound {
                runs[runs.count - 1] = last.lowerBound..<(start + length)
            } else {
                runs.append(start..<(start + length))
            }
        }
        let shortest = min(value.shortestPart ?? .max, wanted.count)
        return runs.filter { run in
            run.count >= shortest && (!value.isWord || isWord(run))
                && (value.name.map { stands($0, before: run.lowerBound) } ?? true)
        }.map {
            .init(range: onCharacters(text.place(of: $0)), value: value.text, isNamed: false)
        }
    }

    private func isWord(_ range: Range<Int>) -> Bool {
        let bytes = text.bytes
        let before = range.lowerBound > 0 && bytes[range.lowerBound - 1].isLetterOrDigit
        let after = range.upperBound < bytes.count && bytes[range.upperBound].isLetterOrDigit
        return !before && !after
    }

    private func stands(_ name: String, before place: Int) -> Bool {
        let before = text.bytes[..<place]
        let gap = before.suffix(Self.largestGap).reversed().prefix { !$0.isLetterOrDigit }.count
        return before.dropLast(gap).suffix(name.utf8.count).elementsEqual(name.utf8)
    }

    /// Extends a range to the characters of UTF-8 that it touches.
    private func onCharacters(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start > 0, bytes[start] & 0xC0 == 0x80 { start -= 1 }
        while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
        return start..<end
    }
}
