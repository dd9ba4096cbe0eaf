/// A header field that is looked for in every response: those that say where a body ends or how it
/// is coded, and cookies.
///
/// A head's block knows which of them it has, so nobody looks for one that is not there.
package enum KnownField: UInt8 {
    case contentLength = 1
    case contentEncoding = 2
    case transferEncoding = 4
    case setCookie = 8

    /// Nil for any other name.
    init?(name: UnsafeRawBufferPointer) {
        // Their lengths tell them from each other, and from most others.
        switch name.count {
        case 10: self = .setCookie
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
        }
    }
}
