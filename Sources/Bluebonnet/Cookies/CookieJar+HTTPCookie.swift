import Foundation
public import FoundationNetworking

extension CookieJar {
    /// The cookies in Foundation's form, in order of creation.
    ///
    /// A domain with a dot in front covers the hosts below it; without one the cookie is for that
    /// host alone. Foundation has no place for `SameSite`.
    public var cookies: [HTTPCookie] { all.compactMap(\.httpCookie) }

    /// Adds or replaces a cookie that the program itself has made.
    ///
    /// It is checked as if its own domain had sent it over https, and left out if that domain
    /// could not have. A domain with a dot in front covers the hosts below it; without one the
    /// cookie is for that host alone.
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
    /// How many cookies there are; names and values are not in it.
    public var description: String { "\(count) cookies" }

    /// How many cookies there are.
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
        // The key that Foundation reads it from has no name of its own.
        if isHTTPOnly { properties[HTTPCookiePropertyKey("HttpOnly")] = "TRUE" }
        return HTTPCookie(properties: properties)
    }
}
