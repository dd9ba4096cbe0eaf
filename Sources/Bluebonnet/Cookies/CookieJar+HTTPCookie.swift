import Foundation
public import FoundationNetworking

extension CookieJar {
    /// The cookies as `HTTPCookie` objects, in order of creation.
    ///
    /// A domain with a leading dot includes its subdomains. Without the dot, the cookie is for that
    /// host only. `HTTPCookie` cannot represent `SameSite`.
    public var cookies: [HTTPCookie] { all.compactMap(\.httpCookie) }

    /// Adds or replaces a cookie that the program itself created.
    ///
    /// The cookie is checked as if its own domain had sent it over https, and is ignored if that
    /// domain is not allowed to set it. A domain with a leading dot includes its subdomains.
    /// Without the dot, the cookie is for that host only.
    public mutating func setCookie(_ cookie: HTTPCookie) {
        setCookie(cookie, at: Date())
    }

    mutating func setCookie(_ cookie: HTTPCookie, at date: Date) {
        guard let cookie = Cookie(cookie) else { return }
        put(cookie, at: date)
        trim(at: date)
    }
}

extension CookieJar: CustomStringConvertible, CustomReflectable {
    /// The number of cookies, without their names and values.
    public var description: String { "\(count) cookies" }

    /// The number of cookies.
    public var customMirror: Mirror { Mirror(self, children: ["count": count]) }
}

extension Cookie {
    init?(_ cookie: HTTPCookie) {
        let isHostOnly = cookie.domain.utf8.first != UInt8(ascii: ".")
        self.init(
            name: cookie.name,
            value: cookie.value,
            domain: (isHostOnly ? cookie.domain : String(cookie.domain.dropFirst())).lowercased(),
            path: cookie.path,
            expires: cookie.expiresDate.map { min($0, Self.latestExpiry) },
            isHostOnly: isHostOnly,
            isSecure: cookie.isSecure,
            isHTTPOnly: cookie.isHTTPOnly
        )
        guard isAcceptable else { return nil }
    }

    var httpCookie: HTTPCookie? {
        var properties: [HTTPCookiePropertyKey: Any] = [
            .name: name, .value: value, .domain: isHostOnly ? domain : "." + domain, .path: path,
        ]
        properties[.expires] = expires
        if expires == nil { properties[.discard] = "TRUE" }
        if isSecure { properties[.secure] = "TRUE" }
        // Foundation reads this key but has no constant for it.
        if isHTTPOnly { properties[HTTPCookiePropertyKey("HttpOnly")] = "TRUE" }
        return HTTPCookie(properties: properties)
    }
}
