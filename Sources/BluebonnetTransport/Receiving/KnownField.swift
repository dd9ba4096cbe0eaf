/// A header field that is looked for in every response: those that say where a body ends or how it
/// is coded, how long its connection lasts, and cookies.
///
/// A head's block knows which of them it has, so nobody looks for one that is not there.
package enum KnownField: UInt8 {
    case contentLength = 1
    case contentEncoding = 2
    case transferEncoding = 4
    case setCookie = 8
    case connection = 16
    case keepAlive = 32

    /// Nil for any other name.
    init?(name: UnsafeRawBufferPointer) {
        // Their lengths and first letters tell them from each other, and from most others.
        switch name.count {
        case 10:
            switch name[0] | 0x20 {
            case UInt8(ascii: "c"): self = .connection
            case UInt8(ascii: "k"): self = .keepAlive
            default: self = .setCookie
            }
        case 14: self = .contentLength
        case 16: self = .contentEncoding
        case 17: self = .transferEncoding
        default: return nil
        }
        guard self.name.withUTF8Buffer({ name.equalsIgnoringCase(UnsafeRawBufferPointer($0)) })
        else { return nil }
    }

    var name: StaticString {
        switch self {
        case .contentLength: "Content-Length"
        case .contentEncoding: "Content-Encoding"
        case .transferEncoding: "Transfer-Encoding"
        case .setCookie: "Set-Cookie"
        case .connection: "Connection"
        case .keepAlive: "Keep-Alive"
        }
    }
}
