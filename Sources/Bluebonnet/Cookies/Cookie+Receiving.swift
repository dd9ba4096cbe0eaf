import BluebonnetTransport
import Foundation

extension Cookie {
    /// Returns the cookies that a response's Set-Cookie lines define.
    ///
    /// An expired cookie removes the stored cookie with the same name, domain and path.
    static func received(
        _ lines: [String], from origin: CookieOrigin, at date: Date
    ) -> [Cookie] {
        lines.compactMap { line in
            SetCookie(line).flatMap { Cookie($0, from: origin, at: date) }
        }
    }

    /// Creates the cookie that a line sets, or returns nil if the origin is not allowed to set it.
    init?(_ line: SetCookie, from origin: CookieOrigin, at date: Date) {
        guard !line.isSecure || origin.isSecure else { return nil }
        guard let isHostOnly = Self.isHostOnly(line.domain, from: origin.host) else { return nil }
        self.init(
            name: line.name,
            value: line.value,
            domain: isHostOnly ? origin.host : line.domain ?? origin.host,
            path: line.path ?? origin.defaultPath,
            expires: Self.expiry(of: line, at: date),
            isHostOnly: isHostOnly,
            isSecure: line.isSecure,
            isHTTPOnly: line.isHTTPOnly,
            sameSite: line.sameSite
        )
        guard keepsPromiseOfName else { return nil }
        // `__Host-` requires an explicit Path and no Domain, even where the defaults are the same.
        if name.hasCookiePrefix("__host-"), line.path == nil || line.domain != nil { return nil }
    }

    /// Returns whether a cookie is for its host only, or nil if the host is not allowed to set one
    /// for the domain (RFC 6265 section 5.3, steps 5 and 6).
    private static func isHostOnly(_ domain: String?, from host: String) -> Bool? {
        guard let domain else { return true }
        guard !CookieOrigin.isAddress(host) else { return domain == host ? true : nil }
        // A trailing dot could disguise a public suffix.
        guard domain.utf8.last != UInt8(ascii: "."), host.domainMatches(domain) else { return nil }
        if domain == host { return PublicSuffixList.isPublicSuffix(domain) }
        return PublicSuffixList.permits(cookieDomain: domain, host: host) ? false : nil
    }

    private static func expiry(of line: SetCookie, at date: Date) -> Date? {
        guard let maxAge = line.maxAge else { return line.expires.map { min($0, latestExpiry) } }
        guard maxAge > 0 else { return .distantPast }
        return min(date.addingTimeInterval(maxAge), latestExpiry)
    }

    /// Whether the cookie meets the requirements of its name's prefix (RFC 6265bis section 4.1.3).
    private var keepsPromiseOfName: Bool {
        if name.hasCookiePrefix("__host-") { return isSecure && isHostOnly && path == "/" }
        return isSecure || !name.hasCookiePrefix("__secure-")
    }

    /// Whether a cookie from a file or Foundation could have been received from its own domain.
    var isAcceptable: Bool {
        !name.isEmpty && name.isCookieText && value.isCookieText
            && !name.utf8.contains(UInt8(ascii: "="))
            && name.utf8.count + value.utf8.count <= SetCookie.maximumSize
            && path.utf8.first == UInt8(ascii: "/")
            && path.isCookieText && !path.utf8.contains(UInt8(ascii: "\t"))
            && CookieOrigin.canonicalHost(domain) == domain
            && (isHostOnly || Self.isHostOnly(domain, from: domain) == false)
            && keepsPromiseOfName
    }
}

extension String {
    /// Returns whether the name starts with a lowercase prefix, ignoring case (RFC 6265bis).
    ///
    /// Some servers ignore case, so `__HOST-` must meet the same requirements as `__Host-`.
    fileprivate func hasCookiePrefix(_ prefix: String) -> Bool {
        utf8.prefix(prefix.utf8.count).lazy.map(\.asciiLowercased).elementsEqual(prefix.utf8)
    }

    /// Whether a header field line transmits the text unchanged.
    fileprivate var isCookieText: Bool {
        let spaces: [UInt8?] = [0x20, 0x09]
        return !spaces.contains(utf8.first) && !spaces.contains(utf8.last)
            && utf8.allSatisfy { ($0 == 0x09 || !$0.isControl) && $0 != UInt8(ascii: ";") }
    }
}
