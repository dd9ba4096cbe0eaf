import Foundation

/// The cookies of one domain, in order of creation.
struct CookieBucket: Sendable {
    static let maximumCount = 50

    private(set) var cookies: [Cookie] = []

    /// Adds a cookie, or replaces the stored cookie with the same name and path.
    ///
    /// The new cookie takes the position and creation rank of the one it replaces. If the stored
    /// cookie has expired, it is removed and the new one is appended.
    mutating func insert(_ cookie: Cookie, at date: Date) {
        guard let place = place(name: cookie.name, path: cookie.path) else {
            return cookies.append(cookie)
        }
        guard !cookies[place].isExpired(at: date) else {
            cookies.remove(at: place)
            return cookies.append(cookie)
        }
        let creation = cookies[place].creation
        cookies[place] = cookie
        cookies[place].creation = creation
    }

    mutating func remove(name: String, path: String) {
        if let place = place(name: name, path: path) { cookies.remove(at: place) }
    }

    mutating func removeAll(where isUnwanted: (Cookie) -> Bool) {
        cookies.removeAll(where: isUnwanted)
    }

    /// Removes cookies beyond the limit of 50 (RFC 6265 section 5.3).
    ///
    /// Expired cookies go first, then cookies that are not Secure (RFC 6265bis), then Secure ones.
    /// In each of the last two groups, the least recently used cookie goes first.
    mutating func trim(at date: Date) {
        guard cookies.count > Self.maximumCount else { return }
        cookies.removeAll { $0.isExpired(at: date) }
        while cookies.count > Self.maximumCount, let place = placeOfLeastWanted {
            cookies.remove(at: place)
        }
    }

    /// Appends the cookies that apply to a request, and marks them as used.
    mutating func use(for origin: CookieOrigin, event: UInt64, into found: inout [Cookie]) {
        for place in cookies.indices where cookies[place].matches(origin) {
            cookies[place].lastAccess = event
            found.append(cookies[place])
        }
    }

    private func place(name: String, path: String) -> Int? {
        // Compares bytes, because `==` treats composed and decomposed letters as equal.
        cookies.firstIndex {
            $0.name.utf8.elementsEqual(name.utf8) && $0.path.utf8.elementsEqual(path.utf8)
        }
    }

    private var placeOfLeastWanted: Int? {
        cookies.indices.min { left, right in
            let (left, right) = (cookies[left], cookies[right])
            guard left.isSecure == right.isSecure else { return right.isSecure }
            return (left.lastAccess, left.creation) < (right.lastAccess, right.creation)
        }
    }
}
