import BluebonnetTransport
import Foundation

extension Cookie {
    /// The cookies of a response's Set-Cookie lines; those that have expired already stand for
    /// the removal of an older one.
    static func received(
        _ lines: [String], from origin: CookieOrigin, at date: Date
    ) -> [Cookie] {
        lines.compactMap { line in
            SetCookie(line).flatMap { Cookie($0, from: origin, at: date) }
        }
    }

    /// Nil for a cookie that this origin may not set.
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
        // The path must have been asked for, and the domain not, even where neither matters.
        if name.hasCookiePrefix("__host-"), line.path == nil || line.domain != nil { return nil }
    }

    /// Whether a cookie stays with its host; nil when the host may not set one for that domain
    /// (RFC 6265 section 5.3, steps 5 and 6).
    private static func isHostOnly(_ domain: String?, from host: String) -> Bool? {
        guard let domain else { return true }
        guard !CookieOrigin.isAddress(host) else { return domain == host ? true : nil }
        // A public suffix could hide behind a dot at the end.
        guard domain.utf8.last != UInt8(ascii: "."), host.domainMatches(domain) else { return nil }
        if domain == host { return PublicSuffixList.isPublicSuffix(domain) }
        return PublicSuffixList.permits(cookieDomain: domain, host: host) ? false : nil
    }

    private static func expiry(of line: SetCookie, at date: Date) -> Date? {
        guard let maxAge = line.maxAge else { return line.expires.map { min($0, latestExpiry) } }
        guard maxAge > 0 else { return .distantPast }
        return min(date.addingTimeInterval(maxAge), latestExpiry)
    }

    /// Whether it is what the prefix of its name promises (RFC 6265bis section 4.1.3).
    private var keepsPromiseOfName: Bool {
        if name.hasCookiePrefix("__host-") { return isSecure && isHostOnly && path == "/" }
        return isSecure || !name.hasCookiePrefix("__secure-")
    }

    /// Whether a cookie that came from elsewhere, a file or Foundation, could have been received
    /// from its own domain.
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
    /// `prefix` is in lower case: servers that ignore case must not be fooled (RFC 6265bis).
    fileprivate func hasCookiePrefix(_ prefix: String) -> Bool {
        utf8.prefix(prefix.utf8.count).lazy.map(\.asciiLowercased).elementsEqual(prefix.utf8)
    }

    /// Whether it comes out of a field line as it went in.
    fileprivate var isCookieText: Bool {
        let spaces: [UInt8?] = [0x20, 0x09]
        return !spaces.contains(utf8.first) && !spaces.contains(utf8.last)
            && utf8.allSatisfy { ($0 == 0x09 || !$0.isControl) && $0 != UInt8(ascii: ";") }
    }
}
