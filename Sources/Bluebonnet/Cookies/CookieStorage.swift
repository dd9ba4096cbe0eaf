import BluebonnetTransport
public import Foundation
public import FoundationNetworking

/// A cookie jar that several managers and threads share.
///
/// Every method may be called on any thread. Nothing is written to disk unless
/// ``save(to:includingSessionCookies:)`` is called.
public final class CookieStorage: Sendable {
    private let state: Locked<CookieJar>

    /// Makes a storage that starts with a jar's cookies.
    public init(_ jar: CookieJar = CookieJar()) {
        state = Locked(jar)
    }

    /// Makes a storage from a file; see ``CookieJar/init(contentsOf:at:)``.
    public convenience init(contentsOf url: URL, at date: Date = Date()) throws(CookieFileError) {
        self.init(try CookieJar(contentsOf: url, at: date))
    }

    /// The cookies as they are now; setting replaces them all.
    ///
    /// Reading, changing and setting it again is three steps, between which others may come.
    public var jar: CookieJar {
        get { state.withLock { $0 } }
        set {
            var other = newValue
            // What was there is let go of outside the lock.
            state.withLock { swap(&$0, &other) }
        }
    }

    /// Whether there is no cookie.
    public var isEmpty: Bool { state.withLock { $0.isEmpty } }

    /// The number of cookies, among them expired ones that nothing has come across yet.
    public var count: Int { state.withLock { $0.count } }

    /// The cookies in Foundation's form, in order of creation.
    public var cookies: [HTTPCookie] { jar.cookies }

    /// Adds or replaces a cookie that the program itself has made; see ``CookieJar/setCookie(_:)``.
    public func setCookie(_ cookie: HTTPCookie) {
        let date = Date()
        guard let cookie = Cookie(cookie) else { return }
        state.withLock { jar in
            jar.put(cookie, at: date)
            jar.trim(at: date)
        }
    }

    /// Keeps what a response sets; see ``CookieJar/store(_:from:at:)``.
    public func store(_ setCookieValues: [String], from url: URL, at date: Date = Date()) {
        guard !setCookieValues.isEmpty, let origin = CookieOrigin(url) else { return }
        let cookies = Cookie.received(setCookieValues, from: origin, at: date)
        guard !cookies.isEmpty else { return }
        state.withLock { $0.receive(cookies, from: origin, at: date) }
    }

    /// The value of the Cookie field for a request, or nil when no cookie goes with it; see
    /// ``CookieJar/cookieHeader(for:at:)``.
    public func cookieHeader(
        for url: URL, at date: @autoclosure () -> Date = Date()
    ) -> String? {
        guard !isEmpty, let origin = CookieOrigin(url) else { return nil }
        let date = date()
        return state.withLock { $0.cookieHeader(for: origin, at: date) }
    }

    /// Removes every cookie.
    public func removeAll() {
        jar = CookieJar()
    }

    /// Removes the cookies that have no expiry date, as the end of a session does.
    public func removeSessionCookies() {
        state.withLock { $0.removeSessionCookies() }
    }

    /// Removes the cookies that have expired.
    public func removeExpired(at date: Date = Date()) {
        state.withLock { $0.removeExpired(at: date) }
    }

    /// Removes one cookie, if it is there; see ``CookieJar/remove(name:domain:path:)``.
    public func remove(name: String, domain: String, path: String) {
        state.withLock { $0.remove(name: name, domain: domain, path: path) }
    }

    /// Writes the cookies as they are now to a file; see
    /// ``CookieJar/save(to:includingSessionCookies:)``.
    public func save(
        to url: URL, includingSessionCookies: Bool = false
    ) throws(CookieFileError) {
        try jar.save(to: url, includingSessionCookies: includingSessionCookies)
    }
}
