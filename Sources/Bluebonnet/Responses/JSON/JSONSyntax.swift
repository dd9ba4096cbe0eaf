import Foundation

/// A strict scan of a text by the grammar of RFC 8259, which locates the first error.
///
/// It creates no values and stores only the open brackets, so nested text needs no stack. It also
/// refuses valid text that is nested too deeply, and a key that would take too long to hash.
package struct JSONSyntax {
    /// The reason for refusing a text, and the offset of the byte.
    struct Failure: Error {
        let offset: Int
        let message: String
    }

    let bytes: UnsafeRawBufferPointer
    var offset = 0
    var numbers = Numbers()
    private let maximumDepth: Int
    /// The closing brackets of the arrays and objects that are open.
    private var closers: [UInt8] = []
    /// Whether the current byte directly follows an opening bracket, apart from white space.
    private var isFresh = false

    /// Scans a text in UTF-8 without a byte order mark, and returns its numbers of unusual size.
    static func check(
        _ bytes: UnsafeRawBufferPointer,
        maximumDepth: Int
    ) throws(Failure) -> Numbers {
        var syntax = JSONSyntax(bytes, maximumDepth: maximumDepth)
        try syntax.scan()
        return syntax.numbers
    }

    private init(_ bytes: UnsafeRawBufferPointer, maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
    }

    private mutating func scan() throws(Failure) {
        try scanValue()
        while let closer = closers.last {
            let byte = try next()
            if byte == closer {
                closers.removeLast()
                offset += 1
                isFresh = false
                continue
            }
            if !isFresh { try scanComma(before: closer) }
            isFresh = false
            if closer == UInt8(ascii: "}") { try scanKey() }
            try scanValue()
        }
        skipSpace()
        if offset < bytes.count { throw unexpected(bytes[offset], "after the end of the text") }
    }

    private mutating func scanValue() throws(Failure) {
        let byte = try next()
        switch byte {
        case UInt8(ascii: "{"): try open(UInt8(ascii: "}"))
        case UInt8(ascii: "["): try open(UInt8(ascii: "]"))
        case UInt8(ascii: "\""): try scanString()
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try scanNumber()
        case UInt8(ascii: "t"): try scanWord("true")
        case UInt8(ascii: "f"): try scanWord("false")
        case UInt8(ascii: "n"): try scanWord("null")
        default: throw unexpected(byte, "where a value should be")
        }
    }

    private mutating func open(_ closer: UInt8) throws(Failure) {
        guard closers.count < maximumDepth else {
            throw failure("arrays and objects are nested deeper than \(maximumDepth)")
        }
        closers.append(closer)
        offset += 1
        isFresh = true
    }

    private mutating func scanKey() throws(Failure) {
        let byte = try next()
        guard byte == UInt8(ascii: "\"") else { throw unexpected(byte, "where a key should be") }
        let start = offset
        try scanString()
        try judgeKey(from: start)
        let colon = try next()
        guard colon == UInt8(ascii: ":") else { throw unexpected(colon, "where a colon should be") }
        offset += 1
    }

    private mutating func scanComma(before closer: UInt8) throws(Failure) {
        let comma = offset
        guard bytes[offset] == UInt8(ascii: ",") else {
            throw unexpected(bytes[offset], "where a comma or the end should be")
        }
        offset += 1
        if try next() == closer { throw Failure(offset: comma, message: "trailing comma") }
    }

    private mutating func scanWord(_ word: StaticString) throws(Failure) {
        for index in 0..<word.utf8CodeUnitCount {
            let byte = try current()
            guard byte == word.utf8Start[index] else { throw unexpected(byte, "in \(word)") }
            offset += 1
        }
    }
}

extension JSONSyntax {
    /// Returns the current byte, or throws at the end of the text.
    func current() throws(Failure) -> UInt8 {
        guard offset < bytes.count else { throw failure("unexpected end of the text") }
        return bytes[offset]
    }

    /// Skips white space and returns the byte after it.
    private mutating func next() throws(Failure) -> UInt8 {
        skipSpace()
        return try current()
    }

    private mutating func skipSpace() {
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                offset += 1
            default: return
            }
        }
    }

    func failure(_ message: String) -> Failure { Failure(offset: offset, message: message) }

    func unexpected(_ byte: UInt8, _ place: String) -> Failure {
        let isShown = (0x21..<0x7F).contains(byte)
        let name =
            isShown
            ? "\"\(Character(Unicode.Scalar(byte)))\"" : "byte 0x\(String(byte, radix: 16))"
        return failure("unexpected \(name) \(place)")
    }
}
