import Foundation

/// The text of a base URL to which most paths are appended.
///
/// Other paths must be resolved, which is expensive in Foundation.
struct PathPrefix {
    /// The URL without a slash at its end.
    private let text: String
    /// The length of the scheme and authority, which precede a path that begins with a slash.
    private let originLength: Int

    /// Creates the prefix of a URL, whose last path component is kept.
    ///
    /// It is nil if the URL has no host, a query, a fragment, or a path that resolving could
    /// change.
    init?(of base: URL) {
        let text = base.absoluteString
        let lengths: (origin: Int, all: Int)? = text.withBytes { bytes in
            guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon + 3 < bytes.count,
                bytes[colon + 1] == slash, bytes[colon + 2] == slash
            else { return nil }
            let path = bytes[(colon + 3)...].drop {
                $0 != slash && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
            }
            let isAppendable = path.count <= 1 ? path.first ?? slash == slash : path.isAppendable
            guard path.startIndex > colon + 3, isAppendable, !path.contains(UInt8(ascii: "?"))
            else { return nil }
            return (path.startIndex, bytes.last == slash ? bytes.count - 1 : bytes.count)
        }
        guard let lengths else { return nil }
        self.text = String(Substring(text.utf8.prefix(lengths.all)))
        originLength = lengths.origin
    }

    /// Returns the URL of a path, or nil if the path must be resolved.
    func url(of path: String) -> URL? {
        guard path.withBytes({ $0[...].isAppendable }) else { return nil }
        guard path.utf8.first == slash else { return URL(string: text + "/" + path) }
        return URL(string: Substring(text.utf8.prefix(originLength)) + path)
    }
}

private let slash = UInt8(ascii: "/")

extension Slice<UnsafeBufferPointer<UInt8>> {
    /// Whether resolving the path below a base URL only appends it (RFC 3986 section 5.2).
    ///
    /// No segment can be dots, the path cannot be read as a host or a scheme, and nothing in it
    /// must be escaped.
    fileprivate var isAppendable: Bool {
        guard let first, first != UInt8(ascii: "?"), !starts(with: "//".utf8) else { return false }
        var former = slash
        var isInQuery = false
        var missingDigits = 0
        for byte in self {
            switch byte {
            case _ where missingDigits > 0:
                guard byte.isHexadecimalDigit else { return false }
                missingDigits -= 1
            case UInt8(ascii: "#"): return false
            case UInt8(ascii: ":") where !isInQuery: return false
            case UInt8(ascii: "."), UInt8(ascii: "%"):
                guard isInQuery || former != slash else { return false }
                if byte == UInt8(ascii: "%") { missingDigits = 2 }
            case UInt8(ascii: "?"): isInQuery = true
            default: guard URL.isAllowed[Int(byte)] else { return false }
            }
            former = byte
        }
        return missingDigits == 0
    }
}
