import BluebonnetTransport
import Foundation

extension URL {
    /// Creates a URL from a reference, such as a path or a `Location`; nil if it is invalid.
    ///
    /// The reference is resolved against `base` (RFC 3986 section 5). Characters that a URL cannot
    /// contain are escaped, and existing escapes are kept. `URL`'s own initializer escapes every
    /// `%` again as soon as one character must be escaped.
    package init?(reference: String, relativeTo base: URL?) {
        self.init(reference: Array(reference.utf8), relativeTo: base)
    }

    /// Creates a URL from a reference whose bytes need not be text.
    ///
    /// Each byte that a URL cannot contain is escaped by itself.
    init?(reference: [UInt8], relativeTo base: URL?) {
        guard let url = URL(string: Self.escaped(reference), relativeTo: base)?.absoluteURL else {
            return nil
        }
        self = url
    }

    /// Escapes the part after the host, which has its own rules.
    private static func escaped(_ bytes: [UInt8]) -> String {
        let start = endOfAuthority(bytes)
        let fragment = bytes[start...].firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
        let faults = (start..<bytes.count).filter { index in
            isFault(at: index, bytes) || index > fragment && bytes[index] == UInt8(ascii: "#")
        }
        guard !faults.isEmpty else { return String(decoding: bytes, as: UTF8.self) }
        var result: [UInt8] = []
        var place = 0
        for fault in faults {
            result += bytes[place..<fault] + "%".utf8
            result += [bytes[fault] >> 4, bytes[fault] & 15].map { hexDigits[Int($0)] }
            place = fault + 1
        }
        return String(decoding: result + bytes[place...], as: UTF8.self)
    }

    /// Returns the index at which the reference's path begins, after its scheme and host, if any.
    private static func endOfAuthority(_ bytes: [UInt8]) -> Int {
        let name = bytes.prefix { isSchemeByte($0) }
        let hasScheme =
            !name.isEmpty && name.endIndex < bytes.count
            && bytes[name.endIndex] == UInt8(ascii: ":")
        let start = hasScheme ? name.endIndex + 1 : 0
        guard bytes[start...].starts(with: "//".utf8) else { return start }
        return bytes[(start + 2)...].firstIndex {
            $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#")
        } ?? bytes.count
    }

    /// Returns whether a byte is not allowed in a path, a query or a fragment (RFC 3986 section 3).
    private static func isFault(at index: Int, _ bytes: [UInt8]) -> Bool {
        guard bytes[index] != UInt8(ascii: "%") else {
            let digits = bytes[(index + 1)...].prefix(2)
            return digits.count < 2 || !digits.allSatisfy(\.isHexadecimalDigit)
        }
        return !isAllowed[Int(bytes[index])]
    }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
            UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// Whether each byte value is allowed in a reference, indexed by the value.
    static let isAllowed: [Bool] = {
        var isAllowed = [Bool](repeating: false, count: 256)
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
        for byte in (letters + "-._~:/?#@!$&'()*+,;=").utf8 { isAllowed[Int(byte)] = true }
        return isAllowed
    }()
    private static let hexDigits = Array("0123456789ABCDEF".utf8)
}
