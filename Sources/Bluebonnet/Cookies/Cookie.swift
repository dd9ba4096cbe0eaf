import Foundation

/// A cookie as stored in a jar (RFC 6265 section 5.3).
struct Cookie: Sendable, Equatable {
    enum SameSite: String, Sendable, Codable {
        case strict, lax, none
    }

    let name: String
    let value: String
    /// The domain in lowercase ASCII, without a leading dot.
    let domain: String
    let path: String
    /// The expiry date; nil for a session cookie.
    var expires: Date?
    /// Whether the cookie is sent to `domain` only, and not to its subdomains.
    var isHostOnly: Bool
    var isSecure = false
    /// The `HttpOnly` attribute; stored but without effect, because no scripts run here.
    var isHTTPOnly = false
    /// The `SameSite` attribute; stored but not used, because requests do not come from a site.
    var sameSite: SameSite?
    /// The cookie's rank in the jar's order of creation, which does not depend on a clock.
    var creation: UInt64 = 0
    /// The jar's event count when the cookie was last set or sent.
    var lastAccess: UInt64 = 0

    /// The latest expiry date that is stored: the end of the year 9999.
    static let latestExpiry = Date(timeIntervalSince1970: 253_402_300_799)

    func isExpired(at date: Date) -> Bool {
        expires.map { $0 <= date } ?? false
    }

    /// Returns whether the cookie applies to a request whose host matches the cookie's domain.
    func matches(_ origin: CookieOrigin) -> Bool {
        (isSecure ? origin.isSecure : true)
            && (isHostOnly ? domain == origin.host : true)
            && origin.path.pathMatches(path)
    }

    /// Returns whether a cookie received over an insecure connection would hide or replace this one
    /// (RFC 6265bis section 5.7, "leave secure cookies alone").
    func isOverlaid(by other: Cookie) -> Bool {
        name.utf8.elementsEqual(other.name.utf8) && other.path.pathMatches(path)
            && (domain.domainMatches(other.domain) || other.domain.domainMatches(domain))
    }
}

extension String {
    /// Returns whether the host matches a domain (RFC 6265 section 5.1.3).
    ///
    /// Both must be lowercase names, not IP addresses.
    func domainMatches(_ domain: String) -> Bool {
        let host = utf8
        let suffix = domain.utf8
        guard host.count > suffix.count else { return self == domain }
        let boundary = host.index(host.endIndex, offsetBy: -suffix.count)
        return host[boundary...].elementsEqual(suffix)
            && host[host.index(before: boundary)] == UInt8(ascii: ".")
    }

    /// Returns whether the request path matches a cookie path (RFC 6265 section 5.1.4).
    func pathMatches(_ path: String) -> Bool {
        let own = utf8
        let prefix = path.utf8
        guard own.starts(with: prefix) else { return false }
        return own.count == prefix.count || prefix.last == UInt8(ascii: "/")
            || own.dropFirst(prefix.count).first == UInt8(ascii: "/")
    }
}
