/// The length that a head declares for the body.
package enum ContentLength {
    /// Nil where none is declared; a failure where it is no number, or several differ.
    package static func declared(by block: FieldBlock) throws(Exchange.Failure) -> Int? {
        var length: Int?
        var isValid = true
        block.forEachValue(of: "Content-Length") { value in
            isValid = read(value, into: &length)
            return isValid
        }
        guard isValid else {
            let text = block.values(of: "Content-Length").joined(separator: ", ")
            throw .malformed("the response declares no single length: \(text.debugDescription)")
        }
        return length
    }

    /// Reads one field's value, a list of equal numbers; false when it is not that.
    private static func read(_ value: UnsafeBufferPointer<UInt8>, into length: inout Int?) -> Bool {
        for part in value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            guard let number = number(part), length == nil || length == number else { return false }
            length = number
        }
        return true
    }

    /// Digits with white space around them.
    private static func number(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        var digits = text
        while digits.first?.isFieldWhiteSpace == true { digits.removeFirst() }
        while digits.last?.isFieldWhiteSpace == true { digits.removeLast() }
        guard !digits.isEmpty else { return nil }
        var number = 0
        for byte in digits {
            let (tens, overflows) = number.multipliedReportingOverflow(by: 10)
            let (sum, overflowsToo) = tens.addingReportingOverflow(Int(byte) - 0x30)
            guard byte >= 0x30, byte <= 0x39, !overflows, !overflowsToo else { return nil }
            number = sum
        }
        return number
    }
}
