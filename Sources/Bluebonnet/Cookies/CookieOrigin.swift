import BluebonnetTransport
import Foundation

/// What of a request's URL decides about cookies; ports do not.
struct CookieOrigin: Sendable {
    /// In lower case and in ASCII; "a.test" and "a.test." are two hosts.
    let host: String
    /// The path as it is sent, percent-encoded.
    let path: String
    let isSecure: Bool

    /// Nil for a URL whose host can have no cookies.
    init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), scheme == "https" || scheme == "http",
            let host = url.host, let canonical = Self.canonicalHost(host)
        else { return nil }
        let path = url.path(percentEncoded: true)
        self.host = canonical
        self.path = path.utf8.first == slash ? path : "/"
        isSecure = scheme == "https"
    }

    /// The path of cookies that name none (RFC 6265 section 5.1.4).
    var defaultPath: String {
        guard let last = path.utf8.lastIndex(of: slash), last > path.startIndex else { return "/" }
        return String(path[..<last])
    }

    /// A host in lower case, or nil where it holds what no name or address does.
    static func canonicalHost(_ host: String) -> String? {
        // Longer ones are in no DNS, and their parents would take long to look up.
        guard (1...255).contains(host.utf8.count), host.utf8.allSatisfy(\.isHostByte),
            host.utf8.first != UInt8(ascii: ".")
        else { return nil }
        guard host.utf8.contains(where: { $0.asciiLowercased != $0 }) else { return host }
        return String(decoding: host.utf8.map(\.asciiLowercased), as: UTF8.self)
    }

    /// Whether a host is an IP address, in any of the forms that a resolver takes for one.
    static func isAddress(_ host: String) -> Bool {
        guard !host.utf8.contains(UInt8(ascii: ":")) else { return true }
        let last = host.utf8.split(separator: UInt8(ascii: ".")).last ?? host.utf8[...]
        return last.allSatisfy(\.isDigit) || last.starts(with: "0x".utf8)
    }
}

private let slash = UInt8(ascii: "/")

extension UInt8 {
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    /// Letters, digits, and what else names and addresses are written with.
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
