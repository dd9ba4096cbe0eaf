public import Foundation

/// Cookies, kept and sent by the rules of RFC 6265.
///
/// A jar is a value: a copy goes its own way. ``CookieStorage`` shares one between threads.
///
/// What comes from a server is checked more strictly than by RFC 6265 alone: a domain must not be
/// a public suffix, such as `co.uk`; a Secure cookie comes and goes over https only and is neither
/// replaced nor hidden by one that came over http; the prefixes `__Secure-` and `__Host-` hold
/// what they promise; a line with a control character, with more than 4,096 bytes of name and
/// value, or without a name sets nothing; an attribute of more than 1,024 bytes counts as absent.
///
/// A domain keeps 50 cookies and a jar 3,000. Expired ones go first, then those whose last use is
/// longest ago; of one domain those that are not Secure go before those that are. The `SameSite`
/// attribute is kept and not used, since there is no site.
///
/// Names and values beyond ASCII are kept and sent as UTF-8; bytes of a response that are no UTF-8
/// were read as ISO-8859-1 and are not sent back as they came.
public struct CookieJar: Sendable {
    /// The most cookies that a jar keeps.
    static let maximumCount = 3000

    private var buckets: [String: CookieBucket] = [:]
    /// The number of cookies, among them expired ones that nothing has come across yet.
    public private(set) var count = 0
    /// Counts what happened to the jar: ages are compared by it and not by a clock that may be set.
    private var event: UInt64 = 0

    /// Makes an empty jar.
    public init() {}

    /// Makes a jar of cookies that are checked already, and that know their creation and use.
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

    /// Whether there is no cookie.
    public var isEmpty: Bool { count == 0 }

    /// The cookies in order of creation.
    var all: [Cookie] {
        buckets.values.flatMap(\.cookies).sorted { $0.creation < $1.creation }
    }

    // MARK: Sending

    /// The value of the Cookie field for a request, or nil when no cookie goes with it.
    ///
    /// Longer paths come first, then older cookies (RFC 6265 section 5.4). The cookies count as
    /// used. With an empty jar this costs one comparison; else it depends on the host's own
    /// cookies and not on the size of the jar.
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

    /// Keeps what a response sets.
    ///
    /// Lines that set nothing acceptable are left out without a word, as RFC 6265 asks.
    ///
    /// - Parameters:
    ///   - setCookieValues: the values of the Set-Cookie fields, each field line by itself and
    ///     never joined with commas.
    ///   - url: the URL that answered.
    ///   - date: the time of the response.
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

    /// Adds or replaces a cookie; one that has expired removes its predecessor.
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

    /// Secure cookies that one from an insecure host could touch.
    ///
    /// Names that domain-match each other end alike: this leaves out all but a few, and the rest
    /// is looked at cookie by cookie.
    private func secureCookies(near host: String, at date: Date) -> [Cookie] {
        let tail = host.split(separator: ".").suffix(2).joined(separator: ".")
        var secured: [Cookie] = []
        for (domain, bucket) in buckets where domain.hasSuffix(tail) || tail.hasSuffix(domain) {
            secured += bucket.cookies.filter { $0.isSecure && !$0.isExpired(at: date) }
        }
        return secured
    }

    // MARK: Removing

    /// Removes every cookie.
    public mutating func removeAll() {
        buckets = [:]
        count = 0
    }

    /// Removes the cookies that have no expiry date, as the end of a session does.
    public mutating func removeSessionCookies() {
        removeAll { $0.expires == nil }
    }

    /// Removes the cookies that have expired.
    public mutating func removeExpired(at date: Date = Date()) {
        removeAll { $0.isExpired(at: date) }
    }

    /// Removes one cookie, if it is there; a dot in front of the domain counts for nothing.
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

    /// Keeps to the jar's limit, once for all that came together.
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

    /// Changes a domain's cookies in place, and keeps count.
    private mutating func withBucket(_ domain: String, _ body: (inout CookieBucket) -> Void) {
        var bucket = buckets.removeValue(forKey: domain) ?? CookieBucket()
        count -= bucket.cookies.count
        body(&bucket)
        count += bucket.cookies.count
        if !bucket.cookies.isEmpty { buckets[domain] = bucket }
    }
}
