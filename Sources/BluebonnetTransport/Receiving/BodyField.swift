import Glibc

/// A header field that says where a body ends, or how it is coded.
///
/// A head's block knows which of them it has, so nobody looks for one that is not there.
package enum BodyField: UInt8 {
    case contentLength = 1
    case contentEncoding = 2
    case transferEncoding = 4

    /// Nil for a name that says nothing of a body.
    init?(name: UnsafeRawBufferPointer) {
        // Their lengths tell them from each other, and from most others.
        switch name.count {
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
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether they are the same bytes but for the case of ASCII letters.
    func equalsIgnoringCase(_ other: Self) -> Bool {
        guard count == other.count, let baseAddress, let start = other.baseAddress else {
            return count == other.count
        }
        // Most names are written alike.
        return memcmp(baseAddress, start, count) == 0
            || zip(self, other).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
    }
}
