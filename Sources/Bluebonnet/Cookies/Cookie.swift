import Foundation

/// A cookie as a jar keeps it (RFC 6265 section 5.3).
struct Cookie: Sendable, Equatable {
    enum SameSite: String, Sendable, Codable {
        case strict, lax, none
    }

    let name: String
    let value: String
    /// In lower case and in ASCII, without a dot in front.
    let domain: String
    let path: String
    /// Nil for a session cookie.
    var expires: Date?
    /// Whether it goes to `domain` alone and to no host below that.
    var isHostOnly: Bool
    var isSecure = false
    /// Kept for Foundation's form: nothing here is a script.
    var isHTTPOnly = false
    /// Kept but not used: requests of a server come from no site.
    var sameSite: SameSite?
    /// The place among all cookies of a jar in order of creation, which no clock can turn round.
    var creation: UInt64 = 0
    /// The jar's count of events when the cookie was last set or sent.
    var lastAccess: UInt64 = 0

    /// The latest date that is kept, the end of the year 9999.
    static let latestExpiry = Date(timeIntervalSince1970: 253_402_300_799)

    func isExpired(at date: Date) -> Bool {
        expires.map { $0 <= date } ?? false
    }

    /// Whether it is to be sent with a request whose host its domain covers.
    func matches(_ origin: CookieOrigin) -> Bool {
        (isSecure ? origin.isSecure : true)
            && (isHostOnly ? domain == origin.host : true)
            && origin.path.pathMatches(path)
    }

    /// Whether it would be hidden or replaced by a cookie that came over an insecure connection
    /// (RFC 6265bis section 5.7, "leave secure cookies alone").
    func isOverlaid(by other: Cookie) -> Bool {
        name.utf8.elementsEqual(other.name.utf8) && other.path.pathMatches(path)
            && (domain.domainMatches(other.domain) || other.domain.domainMatches(domain))
    }
}

extension String {
    /// RFC 6265 section 5.1.3, between names in lower case that are no addresses.
    func domainMatches(_ domain: String) -> Bool {
        let host = utf8
        let suffix = domain.utf8
        guard host.count > suffix.count else { return self == domain }
        let boundary = host.index(host.endIndex, offsetBy: -suffix.count)
        return host[boundary...].elementsEqual(suffix)
            && host[host.index(before: boundary)] == UInt8(ascii: ".")
    }

    /// RFC 6265 section 5.1.4.
    func pathMatches(_ path: String) -> Bool {
        let own = utf8
        let prefix = path.utf8
        guard own.starts(with: prefix) else { return false }
        return own.count == prefix.count || prefix.last == UInt8(ascii: "/")
            || own.dropFirst(prefix.count).first == UInt8(ascii: "/")
    }
}
