/// The length that a head declares for the body.
package enum ContentLength {
    /// Nil where none is declared; a failure where it is no number, or several differ.
    package static func declared(by block: FieldBlock) throws(Exchange.Failure) -> Int? {
        var length: Int?
        var isValid = true
        block.forEachValue(of: .contentLength) { value in
            isValid = read(value, into: &length)
            return isValid
        }
        guard isValid else {
            let text = block.values(of: .contentLength).joined(separator: ", ")
            throw .malformed("the response declares no single length: \(text.debugDescription)")
        }
        return length
    }

    /// Reads one field's value, a list of equal numbers; false when it is not that.
    private static func read(_ value: UnsafeRawBufferPointer, into length: inout Int?) -> Bool {
        var rest = value[...]
        while true {
            let end = rest.firstIndex(of: UInt8(ascii: ",")) ?? rest.endIndex
            guard let number = number(rest[..<end]), length == nil || length == number else {
                return false
            }
            length = number
            guard end < rest.endIndex else { return true }
            rest = rest[(end + 1)...]
        }
    }

    /// Digits with white space around them.
    private static func number(_ text: Slice<UnsafeRawBufferPointer>) -> Int? {
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
