import BluebonnetTransport
public import Foundation
public import FoundationNetworking

/// A cookie jar that can be shared between managers and threads.
///
/// All methods can be called on any thread. Nothing is written to disk unless you call
/// ``save(to:includingSessionCookies:)``.
public final class CookieStorage: Sendable {
    private let state: Locked<CookieJar>

    /// Creates a storage with the cookies of a jar.
    ///
    /// - Parameter jar: The first cookies. The default is none.
    public init(_ jar: CookieJar = CookieJar()) {
        state = Locked(jar)
    }

    /// Creates a storage from a file, as ``CookieJar/init(contentsOf:at:)`` does.
    ///
    /// - Parameters:
    ///   - url: A file URL of a file that ``save(to:includingSessionCookies:)`` wrote.
    ///   - date: The current date, at which expired cookies are dropped.
    /// - Throws: A ``CookieFileError``, such as `.notFound` if there is no file.
    public convenience init(contentsOf url: URL, at date: Date = Date()) throws(CookieFileError) {
        self.init(try CookieJar(contentsOf: url, at: date))
    }

    /// A copy of the current cookies; setting it replaces all cookies.
    ///
    /// Reading, modifying and setting the jar is not atomic. Changes that other threads make in
    /// between are lost.
    public var jar: CookieJar {
        get { state.withLock { $0 } }
        set {
            var other = newValue
            // The previous jar is released outside the lock.
            state.withLock { swap(&$0, &other) }
        }
    }

    /// Whether the storage has no cookies.
    public var isEmpty: Bool { state.withLock { $0.isEmpty } }

    /// The number of cookies, including expired ones that have not been removed yet.
    public var count: Int { state.withLock { $0.count } }

    /// The cookies as `HTTPCookie` objects, in order of creation.
    public var cookies: [HTTPCookie] { jar.cookies }

    /// Adds or replaces a cookie that the program itself created; see ``CookieJar/setCookie(_:)``.
    public func setCookie(_ cookie: HTTPCookie) {
        let date = Date()
        guard let cookie = Cookie(cookie) else { return }
        state.withLock { jar in
            jar.put(cookie, at: date)
            jar.trim(at: date)
        }
    }

    /// Stores the cookies that a response sets; see ``CookieJar/store(_:from:at:)``.
    public func store(_ setCookieValues: [String], from url: URL, at date: Date = Date()) {
        guard !setCookieValues.isEmpty, let origin = CookieOrigin(url) else { return }
        let cookies = Cookie.received(setCookieValues, from: origin, at: date)
        guard !cookies.isEmpty else { return }
        state.withLock { $0.receive(cookies, from: origin, at: date) }
    }

    /// Returns the value of the Cookie field for a request, or nil if no cookie applies; see
    /// ``CookieJar/cookieHeader(for:at:)``.
    public func cookieHeader(
        for url: URL, at date: @autoclosure () -> Date = Date()
    ) -> String? {
        guard !isEmpty, let origin = CookieOrigin(url) else { return nil }
        let date = date()
        return state.withLock { $0.cookieHeader(for: origin, at: date) }
    }

    /// Removes all cookies.
    public func removeAll() {
        jar = CookieJar()
    }

    /// Removes the cookies without an expiry date, as at the end of a session.
    public func removeSessionCookies() {
        state.withLock { $0.removeSessionCookies() }
    }

    /// Removes the cookies that have expired.
    public func removeExpired(at date: Date = Date()) {
        state.withLock { $0.removeExpired(at: date) }
    }

    /// Removes a cookie if it exists; see ``CookieJar/remove(name:domain:path:)``.
    public func remove(name: String, domain: String, path: String) {
        state.withLock { $0.remove(name: name, domain: domain, path: path) }
    }

    /// Writes the current cookies to a file; see ``CookieJar/save(to:includingSessionCookies:)``.
    ///
    /// - Parameters:
    ///   - url: A file URL. The file is replaced only if it is empty or a cookie file.
    ///   - includingSessionCookies: Whether to write cookies without an expiry date too. The
    ///     default is false.
    /// - Throws: A ``CookieFileError`` if the file cannot be written.
    public func save(
        to url: URL, includingSessionCookies: Bool = false
    ) throws(CookieFileError) {
        try jar.save(to: url, includingSessionCookies: includingSessionCookies)
    }
}
