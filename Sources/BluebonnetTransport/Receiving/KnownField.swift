/// A header field that the library looks up in every response.
///
/// These fields delimit the body, name its codings, describe the lifetime of the connection, or set
/// cookies. A ``FieldBlock`` records which of them it has, which avoids searching for the others.
package enum KnownField: UInt8 {
    case contentLength = 1
    case contentEncoding = 2
    case transferEncoding = 4
    case setCookie = 8
    case connection = 16
    case keepAlive = 32

    /// Creates the known field with a name, or returns nil for any other name.
    init?(name: UnsafeRawBufferPointer) {
        // Length and first letter distinguish them from each other and from most other names.
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
