public import Foundation

/// A collection of cookies, stored and sent according to RFC 6265.
///
/// A jar is a value, so copies are independent. Use ``CookieStorage`` to share one between threads.
///
/// Cookies from servers are checked more strictly than RFC 6265 requires:
///
/// - The domain cannot be a public suffix, such as `co.uk`. A host that is itself a public suffix
///   can set a cookie for itself only.
/// - A Secure cookie is accepted and sent over https only. A cookie received over http cannot
///   replace or hide it.
/// - The requirements of the name prefixes `__Secure-` and `__Host-` are enforced.
/// - A line is ignored if it has no name, more than 4,096 bytes of name and value, or a control
///   character other than a tab.
/// - An attribute of more than 1,024 bytes is ignored.
///
/// A jar stores up to 50 cookies per domain and 3,000 in total. Beyond a limit, expired cookies are
/// removed first, then the least recently used. Within a domain that exceeds its limit, cookies
/// that are not Secure are removed before Secure ones. The `SameSite` attribute is stored but not
/// used, because a server's requests do not come from a site.
///
/// Names and values beyond ASCII are stored and sent as UTF-8. Response bytes that are not UTF-8
/// are read as ISO-8859-1, so they are not sent back as received.
public struct CookieJar: Sendable {
    /// The maximum number of cookies in a jar.
    static let maximumCount = 3000

    private var buckets: [String: CookieBucket] = [:]
    /// The number of cookies, including expired ones that have not been removed yet.
    public private(set) var count = 0
    /// The number of events so far, which orders cookies by age without relying on a clock.
    private var event: UInt64 = 0

    /// Creates an empty jar.
    public init() {}

    /// Creates a jar from checked cookies that already have their creation and last use.
    init(restoring cookies: [Cookie], at date: Date) {
        for cookie in cookies where !cookie.isExpired(at: date) {
            event = max(event, cookie.creation, cookie.lastAccess)
            withBucket(cookie.domain) { bucket in
                bucket.insert(cookie, at: date)
                bucket.trim(at: date)
            }
        }
        trim(at: date)
    }

    /// Whether the jar has no cookies.
    public var isEmpty: Bool { count == 0 }

    /// The cookies in order of creation.
    var all: [Cookie] {
        buckets.values.flatMap(\.cookies).sorted { $0.creation < $1.creation }
    }

    // MARK: Sending

    /// Returns the value of the Cookie field for a request, or nil if no cookie applies.
    ///
    /// Longer paths come first, then older cookies (RFC 6265 section 5.4). The cookies in the value
    /// count as used. For an empty jar, the call costs one comparison. Otherwise, the cost depends
    /// on the cookies of the host and its parent domains, not on the size of the jar.
    public mutating func cookieHeader(
        for url: URL, at date: @autoclosure () -> Date = Date()
    ) -> String? {
        guard !isEmpty, let origin = CookieOrigin(url) else { return nil }
        return cookieHeader(for: origin, at: date())
    }

    mutating func cookieHeader(for origin: CookieOrigin, at date: Date) -> String? {
        event += 1
        var found: [Cookie] = []
        use(origin.host, for: origin, at: date, into: &found)
        if !CookieOrigin.isAddress(origin.host) {
            var rest = origin.host.utf8[...]
            while let dot = rest.firstIndex(of: UInt8(ascii: ".")) {
                rest = rest[rest.index(after: dot)...]
                guard let parent = String(rest) else { break }
                use(parent, for: origin, at: date, into: &found)
            }
        }
        guard !found.isEmpty else { return nil }
        if found.count > 1 { found.sort(by: Self.isSentBefore) }
        return Self.header(of: found)
    }

    private mutating func use(
        _ domain: String, for origin: CookieOrigin, at date: Date, into found: inout [Cookie]
    ) {
        guard let place = buckets.index(forKey: domain) else { return }
        let event = event
        if buckets.values[place].cookies.contains(where: { $0.isExpired(at: date) }) {
            withBucket(domain) { bucket in
                bucket.removeAll { $0.isExpired(at: date) }
                bucket.use(for: origin, event: event, into: &found)
            }
        } else {
            buckets.values[place].use(for: origin, event: event, into: &found)
        }
    }

    private static func isSentBefore(_ left: Cookie, _ right: Cookie) -> Bool {
        let (leftLength, rightLength) = (left.path.utf8.count, right.path.utf8.count)
        return leftLength == rightLength
            ? left.creation < right.creation : leftLength > rightLength
    }

    private static func header(of cookies: [Cookie]) -> String {
        var text = ""
        for cookie in cookies {
            if !text.isEmpty { text += "; " }
            text += cookie.name
            text += "="
            text += cookie.value
        }
        return text
    }

    // MARK: Receiving

    /// Stores the cookies that a response sets.
    ///
    /// Lines that set no acceptable cookie are ignored without an error, as RFC 6265 requires.
    ///
    /// - Parameters:
    ///   - setCookieValues: The values of the Set-Cookie fields, one per field line and never
    ///     joined by commas.
    ///   - url: The URL of the response.
    ///   - date: The time of the response; now by default.
    public mutating func store(
        _ setCookieValues: [String], from url: URL, at date: Date = Date()
    ) {
        guard !setCookieValues.isEmpty, let origin = CookieOrigin(url) else { return }
        let cookies = Cookie.received(setCookieValues, from: origin, at: date)
        receive(cookies, from: origin, at: date)
    }

    mutating func receive(_ cookies: [Cookie], from origin: CookieOrigin, at date: Date) {
        guard !cookies.isEmpty else { return }
        let secured = origin.isSecure ? [] : secureCookies(near: origin.host, at: date)
        for cookie in cookies where !secured.contains(where: { $0.isOverlaid(by: cookie) }) {
            put(cookie, at: date)
        }
        trim(at: date)
    }

    /// Adds or replaces a cookie, or removes the stored one if the new cookie has expired.
    mutating func put(_ cookie: Cookie, at date: Date) {
        guard !cookie.isExpired(at: date) else {
            return withBucket(cookie.domain) { $0.remove(name: cookie.name, path: cookie.path) }
        }
        event += 1
        var cookie = cookie
        cookie.creation = event
        cookie.lastAccess = event
        withBucket(cookie.domain) { bucket in
            bucket.insert(cookie, at: date)
            bucket.trim(at: date)
        }
    }

    /// Returns the Secure cookies that a cookie from an insecure host could hide or replace.
    ///
    /// The result can contain others too, because only the last two labels of the domains are
    /// compared.
    private func secureCookies(near host: String, at date: Date) -> [Cookie] {
        let tail = host.split(separator: ".").suffix(2).joined(separator: ".")
        var secured: [Cookie] = []
        for (domain, bucket) in buckets where domain.hasSuffix(tail) || tail.hasSuffix(domain) {
            secured += bucket.cookies.filter { $0.isSecure && !$0.isExpired(at: date) }
        }
        return secured
    }

    // MARK: Removing

    /// Removes all cookies.
    public mutating func removeAll() {
        buckets = [:]
        count = 0
    }

    /// Removes the cookies without an expiry date, as at the end of a session.
    public mutating func removeSessionCookies() {
        removeAll { $0.expires == nil }
    }

    /// Removes the cookies that have expired.
    public mutating func removeExpired(at date: Date = Date()) {
        removeAll { $0.isExpired(at: date) }
    }

    /// Removes a cookie if it exists; a leading dot in the domain is ignored.
    public mutating func remove(name: String, domain: String, path: String) {
        let domain = domain.lowercased()
        withBucket(domain.first == "." ? String(domain.dropFirst()) : domain) { bucket in
            bucket.remove(name: name, path: path)
        }
    }

    private mutating func removeAll(where isUnwanted: (Cookie) -> Bool) {
        for domain in Array(buckets.keys) {
            withBucket(domain) { $0.removeAll(where: isUnwanted) }
        }
    }

    /// Removes cookies beyond the limit of the whole jar, once per batch of added cookies.
    mutating func trim(at date: Date) {
        guard count > Self.maximumCount else { return }
        removeExpired(at: date)
        guard count > Self.maximumCount else { return }
        let ages = buckets.values.flatMap { bucket in
            bucket.cookies.map { ($0.lastAccess, $0.creation) }
        }
        let youngest = ages.sorted(by: <)[count - Self.maximumCount - 1]
        removeAll { ($0.lastAccess, $0.creation) <= youngest }
    }

    /// Modifies a domain's cookies in place, and updates `count`.
    private mutating func withBucket(_ domain: String, _ body: (inout CookieBucket) -> Void) {
        var bucket = buckets.removeValue(forKey: domain) ?? CookieBucket()
        count -= bucket.cookies.count
        body(&bucket)
        count += bucket.cookies.count
        if !bucket.cookies.isEmpty { buckets[domain] = bucket }
    }
}
