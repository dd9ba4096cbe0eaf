import Foundation

/// Whether a server takes other requests on a connection, and how long it waits for them.
///
/// That is what it says in HTTP/1 with `Connection` (RFC 9112 section 9.3) and `Keep-Alive` (RFC 2068
/// section 19.7.1.1). What does not count is passed over, as is what is unknown.
struct Persistence: Equatable {
    /// Seconds for which the server keeps an idle connection; nil where it does not say.
    private var timeout: UInt32?
    /// Whether it takes no other request.
    private var isLast = false

    /// What the fields of a head say, the least where they say several things.
    init(_ block: FieldBlock) {
        block.forEachValue(of: .connection) { value in
            value.forEachElement { if $0.is("close") { isLast = true } }
            return true
        }
        block.forEachValue(of: .keepAlive) { value in
            value.forEachElement { takeParameter($0) }
            return true
        }
    }

    /// Whether a head may say anything of it.
    static func isMentioned(in block: FieldBlock) -> Bool {
        block.has(.connection) || block.has(.keepAlive)
    }

    private mutating func takeParameter(_ parameter: UnsafeRawBufferPointer) {
        guard let sign = parameter.firstIndex(of: UInt8(ascii: "=")),
            let number = parameter.part((sign + 1)..<parameter.count).number
        else { return }
        let name = parameter.part(0..<sign)
        if name.is("timeout") {
            timeout = min(timeout ?? number, number)
        } else if name.is("max"), number == 0 {
            isLast = true
        }
    }

    /// Seconds after which no request should go out on the connection any more: one has to arrive before
    /// the server closes it.
    ///
    /// Nil where the server does not say; 0 for none at all.
    var usableTime: TimeInterval? {
        if isLast { return 0 }
        return timeout.map { max(0, TimeInterval($0) - Self.margin) }
    }

    private static let margin: TimeInterval = 1
}

extension UnsafeRawBufferPointer {
    /// Calls `body` with the elements of a list, without the white space around them.
    fileprivate func forEachElement(_ body: (UnsafeRawBufferPointer) -> Void) {
        var start = 0
        while start < count {
            var end = start
            while end < count, self[end] != UInt8(ascii: ",") { end += 1 }
            body(part(start..<end))
            start = end + 1
        }
    }

    /// A part, without the white space around it.
    fileprivate func part(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[withoutWhiteSpace(around: range)])
    }

    fileprivate func `is`(_ name: StaticString) -> Bool {
        name.withUTF8Buffer { equalsIgnoringCase(UnsafeRawBufferPointer($0)) }
    }

    /// Up to nine digits as a number.
    fileprivate var number: UInt32? {
        guard !isEmpty, count <= 9 else { return nil }
        var number: UInt32 = 0
        for digit in self {
            guard (0x30...0x39).contains(digit) else { return nil }
            number = number * 10 + UInt32(digit - 0x30)
        }
        return number
    }
}
