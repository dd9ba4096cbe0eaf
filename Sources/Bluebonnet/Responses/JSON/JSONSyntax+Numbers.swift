import Foundation

extension JSONSyntax {
    mutating func scanNumber() throws(Failure) {
        let start = offset
        if bytes[offset] == UInt8(ascii: "-") { offset += 1 }
        if try current() == UInt8(ascii: "0") { offset += 1 } else { try scanDigits() }
        let integerEnd = offset
        if skip(UInt8(ascii: ".")) { try scanDigits() }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
            try scanDigits()
        }
        judgeNumber(from: start, isInteger: offset == integerEnd)
    }

    private mutating func scanDigits() throws(Failure) {
        let start = offset
        while offset < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[offset])
        {
            offset += 1
        }
        if offset == start { throw unexpected(try current(), "where a digit should be") }
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard offset < bytes.count, bytes[offset] == byte else { return false }
        offset += 1
        return true
    }

    private mutating func judgeNumber(from start: Int, isInteger: Bool) {
        // An integer of up to 18 characters always fits into an `Int`.
        if isInteger, offset - start <= 18 { return }
        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        if isInteger, Int(text) == nil, UInt64(text) == nil {
            numbers.bigIntegerEnds.append(offset)
        }
        if numbers.hugeNumber == nil, Double(text)?.isFinite != true { numbers.hugeNumber = start }
    }
}

extension JSONSyntax {
    /// The numbers that are valid JSON but that simdjson refuses.
    package struct Numbers {
        /// The ends of the integers that fit neither into an `Int` nor into a `UInt64`.
        var bigIntegerEnds: [Int] = []
        /// The offset of the first number that is out of the range of `Double`.
        var hugeNumber: Int?

        /// Returns the text with `.0` after each big integer, so that simdjson rounds it to a
        /// `Double`.
        func withFractions(_ text: Data) -> Data {
            var rewritten = Data(capacity: text.count + 2 * bigIntegerEnds.count)
            var start = 0
            for end in bigIntegerEnds {
                rewritten.append(text.dropFirst(start).prefix(end - start))
                rewritten.append(contentsOf: ".0".utf8)
                start = end
            }
            rewritten.append(text.dropFirst(start))
            return rewritten
        }
    }
}
