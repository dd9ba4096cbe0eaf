import Foundation

extension JSONText {
    /// The text with `\uFFFD` in place of each escape that is half of a surrogate pair.
    ///
    /// Both escapes have six bytes, so offsets do not change.
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

    /// Returns the offsets of the escapes that are half of a surrogate pair.
    private static func loneSurrogates(in bytes: UnsafeRawBufferPointer) -> [Int] {
        var halves: [Int] = []
        var offset = 0
        // In valid JSON, a backslash occurs only inside strings.
        while let backslash = bytes[offset...].firstIndex(of: UInt8(ascii: "\\")) {
            guard let unit = escapedUnit(at: backslash, in: bytes) else {
                // Skip the escaped character too, which can be another backslash.
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

    /// Returns the UTF-16 unit of an escape such as `\u00e9`; nil for anything else.
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
