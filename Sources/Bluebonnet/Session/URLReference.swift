import BluebonnetTransport
import Foundation

extension URL {
    /// The URL that a reference means, such as a path or a `Location` (RFC 3986 section 5); nil when
    /// it means none.
    ///
    /// What no URL may have is escaped, and what is escaped already stays as it is, where `URL`'s
    /// own initializer would escape every `%` once more as soon as anything has to be escaped.
    init?(reference: String, relativeTo base: URL?) {
        guard let url = URL(string: Self.escaped(reference), relativeTo: base)?.absoluteURL else {
            return nil
        }
        self = url
    }

    /// Escapes behind the host, which has rules of its own.
    private static func escaped(_ reference: String) -> String {
        let bytes = Array(reference.utf8)
        let start = endOfAuthority(bytes)
        guard let firstFault = (start..<bytes.count).first(where: { isFault(at: $0, bytes) }) else {
            return reference
        }
        var result = Array(bytes[..<firstFault])
        var isInFragment = bytes[start..<firstFault].contains(UInt8(ascii: "#"))
        for index in firstFault..<bytes.count {
            let isSecondMark = isInFragment && bytes[index] == UInt8(ascii: "#")
            if isSecondMark || isFault(at: index, bytes) {
                result += "%".utf8
                result += [bytes[index] >> 4, bytes[index] & 15].map { hexDigits[Int($0)] }
            } else {
                result.append(bytes[index])
                isInFragment = isInFragment || bytes[index] == UInt8(ascii: "#")
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Where a reference's path begins, behind its scheme and its host, if it has them.
    private static func endOfAuthority(_ bytes: [UInt8]) -> Int {
        var start = 0
        if let colon = bytes.firstIndex(where: { ":/?#".utf8.contains($0) }),
            bytes[colon] == UInt8(ascii: ":")
        {
            start = colon + 1
        }
        guard bytes[start...].starts(with: "//".utf8) else { return start }
        return bytes[(start + 2)...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.count
    }

    /// Whether a byte has no place in a path, a query or a fragment (RFC 3986 section 3).
    private static func isFault(at index: Int, _ bytes: [UInt8]) -> Bool {
        guard bytes[index] != UInt8(ascii: "%") else {
            let digits = bytes[(index + 1)...].prefix(2)
            return digits.count < 2
                || !digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
        }
        return !allowed.contains(bytes[index])
    }

    private static let allowed = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?#@!$&'()*+,;=".utf8
    )
    private static let hexDigits = Array("0123456789ABCDEF".utf8)
}
