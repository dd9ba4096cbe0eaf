import Foundation

/// Whether a server accepts further requests on a connection, and how long it waits for them.
///
/// An HTTP/1 server declares it with `Connection` (RFC 9112 section 9.3) and `Keep-Alive` (RFC 2068
/// section 19.7.1.1). Invalid and unknown values are ignored.
struct ConnectionReuse: Equatable {
    /// The seconds for which the server keeps an idle connection, or nil if it declares none.
    private var timeout: UInt32?
    /// Whether the server accepts no further request.
    private var isLast = false

    /// Reads the fields of a head.
    ///
    /// If they declare several times, the shortest one counts.
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

    /// Returns whether a head has any of the fields.
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

    /// The seconds after which no request should be sent on the connection any more.
    ///
    /// A request must arrive before the server closes the connection. It is nil if the server
    /// declares no time, and 0 if the server accepts no further request.
    var usableTime: TimeInterval? {
        if isLast { return 0 }
        return timeout.map { max(0, TimeInterval($0) - Self.margin) }
    }

    private static let margin: TimeInterval = 1
}

extension UnsafeRawBufferPointer {
    /// Calls `body` with each element of a list, without the whitespace around it.
    fileprivate func forEachElement(_ body: (UnsafeRawBufferPointer) -> Void) {
        var start = 0
        while start < count {
            var end = start
            while end < count, self[end] != UInt8(ascii: ",") { end += 1 }
            body(part(start..<end))
            start = end + 1
        }
    }

    /// Returns a part, without the whitespace around it.
    fileprivate func part(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[withoutWhiteSpace(around: range)])
    }

    fileprivate func `is`(_ name: StaticString) -> Bool {
        name.withUTF8Buffer { equalsIgnoringCase(UnsafeRawBufferPointer($0)) }
    }

    /// The number in one to nine digits, or nil for other bytes.
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
