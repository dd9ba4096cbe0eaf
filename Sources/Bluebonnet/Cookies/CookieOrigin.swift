import BluebonnetTransport
import Foundation

/// The parts of a request's URL that determine its cookies; the port is not one of them.
struct CookieOrigin: Sendable {
    /// The host in lowercase ASCII; "a.test" and "a.test." are different hosts.
    let host: String
    /// The percent-encoded path, as sent.
    let path: String
    let isSecure: Bool

    /// Creates the origin of a URL, or returns nil if its scheme or host cannot have cookies.
    init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), scheme == "https" || scheme == "http",
            let host = url.host, let canonical = Self.canonicalHost(host)
        else { return nil }
        let path = url.path(percentEncoded: true)
        self.host = canonical
        self.path = path.utf8.first == slash ? path : "/"
        isSecure = scheme == "https"
    }

    /// The path of cookies that do not specify one (RFC 6265 section 5.1.4).
    var defaultPath: String {
        guard let last = path.utf8.lastIndex(of: slash), last > path.startIndex else { return "/" }
        return String(path[..<last])
    }

    /// Returns the host in lowercase, or nil if it cannot be a name or an address.
    static func canonicalHost(_ host: String) -> String? {
        // Longer names do not exist in DNS, and the lookups of their parent domains would be slow.
        guard (1...255).contains(host.utf8.count), host.utf8.allSatisfy(\.isHostByte),
            host.utf8.first != UInt8(ascii: ".")
        else { return nil }
        guard host.utf8.contains(where: { $0.asciiLowercased != $0 }) else { return host }
        return String(decoding: host.utf8.map(\.asciiLowercased), as: UTF8.self)
    }

    /// Returns whether a host is an IP address in any form that a resolver accepts.
    static func isAddress(_ host: String) -> Bool {
        guard !host.utf8.contains(UInt8(ascii: ":")) else { return true }
        let last = host.utf8.split(separator: UInt8(ascii: ".")).last ?? host.utf8[...]
        return last.allSatisfy(\.isDigit) || last.starts(with: "0x".utf8)
    }
}

private let slash = UInt8(ascii: "/")

extension UInt8 {
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    /// Whether the byte can occur in a host name or an IP address.
    fileprivate var isHostByte: Bool {
        switch self {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"),
            UInt8(ascii: ":"), UInt8(ascii: "%"):
            true
        default:
            isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(asciiLowercased)
        }
    }
}
