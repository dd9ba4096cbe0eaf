import Foundation

extension JSONText {
    /// The text with `\uFFFD` in place of each escape that is half of a surrogate pair.
    ///
    /// Both have six bytes, so places in it stay what they are.
    var replacingLoneSurrogates: JSONText {
        let halves = data.withUnsafeBytes(Self.loneSurrogates)
        guard !halves.isEmpty else { return self }
        var copy = self
        for half in halves {
            let digits = copy.data.startIndex + half + 2
            copy.data.replaceSubrange(digits..<(digits + 4), with: "FFFD".utf8)
        }
        return copy
    }

    /// Where the escapes of halves begin.
    private static func loneSurrogates(in bytes: UnsafeRawBufferPointer) -> [Int] {
        var halves: [Int] = []
        var offset = 0
        // A backslash stands in strings alone, or the text is no JSON anyway.
        while let backslash = bytes[offset...].firstIndex(of: UInt8(ascii: "\\")) {
            guard let unit = escapedUnit(at: backslash, in: bytes) else {
                // With the character that it escapes, which may be another backslash.
                offset = min(backslash + 2, bytes.count)
                continue
            }
            offset = backslash + 6
            guard UTF16.isSurrogate(unit) else { continue }
            if UTF16.isLeadSurrogate(unit), let next = escapedUnit(at: offset, in: bytes),
                UTF16.isTrailSurrogate(next)
            {
                offset += 6
            } else {
                halves.append(backslash)
            }
        }
        return halves
    }

    /// The unit of an escape such as `\u00e9`; nil for anything else.
    private static func escapedUnit(at offset: Int, in bytes: UnsafeRawBufferPointer) -> UInt16? {
        guard offset + 6 <= bytes.count, bytes[offset] == UInt8(ascii: "\\"),
            bytes[offset + 1] == UInt8(ascii: "u")
        else { return nil }
        var unit: UInt16 = 0
        for byte in bytes[(offset + 2)..<(offset + 6)] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }
}
