/// The length that a head declares for the body.
package enum ContentLength {
    /// Returns the declared length, or nil if there is none.
    ///
    /// Throws if a length is not a number, or if several lengths differ.
    package static func declared(by block: FieldBlock) throws(Exchange.Failure) -> Int? {
        var length: Int?
        var isValid = true
        block.forEachValue(of: .contentLength) { value in
            isValid = read(value, into: &length)
            return isValid
        }
        guard isValid else {
            let text = block.values(of: .contentLength).joined(separator: ", ")
            throw .malformed(
                .head,
                "the response does not declare a single valid length: \(text.debugDescription)")
        }
        return length
    }

    /// Reads the value of one field, and returns whether it is a list of equal numbers.
    private static func read(_ value: UnsafeRawBufferPointer, into length: inout Int?) -> Bool {
        var start = 0
        while true {
            var end = start
            while end < value.count, value[end] != UInt8(ascii: ",") { end += 1 }
            guard let number = number(in: value, start..<end), length == nil || length == number
            else { return false }
            length = number
            guard end < value.count else { return true }
            start = end + 1
        }
    }

    /// Returns the number in a part of a text, which can have whitespace around its digits.
    private static func number(in text: UnsafeRawBufferPointer, _ part: Range<Int>) -> Int? {
        let digits = text.withoutWhiteSpace(around: part)
        guard !digits.isEmpty else { return nil }
        var number = 0
        for index in digits {
            let byte = text[index]
            let (tens, overflows) = number.multipliedReportingOverflow(by: 10)
            let (sum, overflowsToo) = tens.addingReportingOverflow(Int(byte) - 0x30)
            guard byte >= 0x30, byte <= 0x39, !overflows, !overflowsToo else { return nil }
            number = sum
        }
        return number
    }
}
