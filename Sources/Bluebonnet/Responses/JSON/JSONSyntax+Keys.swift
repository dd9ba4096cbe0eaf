extension JSONSyntax {
    /// Refuses the key that was just scanned if it would take too long to be hashed.
    func judgeKey(from start: Int) throws(Failure) {
        let content = (start + 1)..<(offset - 1)
        // No escape is shorter than what it stands for, so no short key has many marks.
        guard content.count > CombiningMarks.longestHarmlessText,
            CombiningMarks.areTooMany(in: unescaped(content))
        else { return }
        throw Failure(offset: start, message: CombiningMarks.excess)
    }

    /// The text that the bytes of a string stand for, but for line breaks and other controls.
    private func unescaped(_ content: Range<Int>) -> String {
        var text = ""
        var place = content.lowerBound
        while place < content.upperBound {
            let plain = bytes[place..<content.upperBound].prefix { $0 != UInt8(ascii: "\\") }
            text += String(decoding: plain, as: UTF8.self)
            place = plain.endIndex
            // Together, since two that follow on each other may be one character.
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

    /// What an escape stands for, with its length; the letter itself of `\n` and its like.
    private func escapedUnit(at place: Int) -> (unit: UInt16, length: Int) {
        guard bytes[place + 1] == UInt8(ascii: "u") else { return (UInt16(bytes[place + 1]), 2) }
        let digits = String(decoding: bytes[(place + 2)..<(place + 6)], as: UTF8.self)
        return (UInt16(digits, radix: 16) ?? 0, 6)
    }
}
