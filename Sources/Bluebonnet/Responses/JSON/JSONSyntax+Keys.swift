extension JSONSyntax {
    /// Refuses the key that was just scanned if hashing it would take too long.
    func judgeKey(from start: Int) throws(Failure) {
        let content = (start + 1)..<(offset - 1)
        // An escape is longer than the character that it stands for, so a short key has few marks.
        guard content.count > CombiningMarks.longestHarmlessText,
            CombiningMarks.areTooMany(in: unescaped(content))
        else { return }
        throw Failure(offset: start, message: CombiningMarks.excess)
    }

    /// Returns the unescaped text of a string, except that escaped control characters stay letters.
    private func unescaped(_ content: Range<Int>) -> String {
        var text = ""
        var place = content.lowerBound
        while place < content.upperBound {
            let plain = bytes[place..<content.upperBound].prefix { $0 != UInt8(ascii: "\\") }
            text += String(decoding: plain, as: UTF8.self)
            place = plain.endIndex
            // Decoded together, since two adjacent escapes can be one surrogate pair.
            var units: [UInt16] = []
            while place < content.upperBound, bytes[place] == UInt8(ascii: "\\") {
                let (unit, length) = escapedUnit(at: place)
                units.append(unit)
                place += length
            }
            text += String(decoding: units, as: UTF16.self)
        }
        return text
    }

    /// Returns the UTF-16 unit of an escape and the escape's length; for `\n` and the like, the
    /// letter.
    private func escapedUnit(at place: Int) -> (unit: UInt16, length: Int) {
        guard bytes[place + 1] == UInt8(ascii: "u") else { return (UInt16(bytes[place + 1]), 2) }
        let digits = String(decoding: bytes[(place + 2)..<(place + 6)], as: UTF8.self)
        return (UInt16(digits, radix: 16) ?? 0, 6)
    }
}
