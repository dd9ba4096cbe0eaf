import Foundation

/// The contents of a cookie file.
///
/// ``CookieJar/save(to:includingSessionCookies:)`` documents the format.
struct CookieFileFormat: Codable, Sendable {
    static let format = "bluebonnet-cookies"
    static let currentVersion = 1

    struct Entry: Codable, Sendable {
        let name: String
        let value: String
        let domain: String
        let path: String
        let expires: Double?
        let hostOnly: Bool
        let secure: Bool
        let httpOnly: Bool
        let sameSite: Cookie.SameSite?
        let lastUse: Int
    }

    private struct Head: Decodable {
        let format: String
        let version: Int
    }

    let format: String
    let version: Int
    let cookies: [Entry]

    init(_ cookies: [Cookie]) {
        format = Self.format
        version = Self.currentVersion
        // The jar's event counts mean nothing outside it, so only their order is written.
        let byUse = cookies.indices.sorted { cookies[$0].lastAccess < cookies[$1].lastAccess }
        var ranks = Array(repeating: 0, count: cookies.count)
        for (rank, place) in byUse.enumerated() { ranks[place] = rank + 1 }
        self.cookies = zip(cookies, ranks).map { Entry($0, lastUse: $1) }
    }

    init(reading data: Data, from url: URL) throws(CookieFileError) {
        do {
            let head = try JSONDecoder().decode(Head.self, from: data)
            guard head.format == Self.format, head.version >= 1 else {
                throw CookieFileError.notACookieFile(url, reason: "unknown format or version")
            }
            guard head.version <= Self.currentVersion else {
                throw CookieFileError.newerVersion(url, head.version)
            }
            self = try JSONDecoder().decode(Self.self, from: data)
        } catch let error as CookieFileError {
            throw error
        } catch {
            throw .notACookieFile(url, reason: "\(error)")
        }
    }

    /// The acceptable cookies, with creation and last use renumbered.
    var restored: [Cookie] {
        let byUse = cookies.indices.sorted { (cookies[$0].lastUse, $0) < (cookies[$1].lastUse, $1) }
        var restored = cookies.map { Cookie($0) }
        for (rank, place) in byUse.enumerated() {
            restored[place].creation = UInt64(place + 1)
            restored[place].lastAccess = UInt64(cookies.count + rank + 1)
        }
        return restored.filter(\.isAcceptable)
    }
}

extension CookieFileFormat.Entry {
    fileprivate init(_ cookie: Cookie, lastUse: Int) {
        self.init(
            name: cookie.name,
            value: cookie.value,
            domain: cookie.domain,
            path: cookie.path,
            expires: cookie.expires?.timeIntervalSince1970,
            hostOnly: cookie.isHostOnly,
            secure: cookie.isSecure,
            httpOnly: cookie.isHTTPOnly,
            sameSite: cookie.sameSite,
            lastUse: lastUse
        )
    }
}

extension Cookie {
    fileprivate init(_ entry: CookieFileFormat.Entry) {
        self.init(
            name: entry.name,
            value: entry.value,
            domain: entry.domain,
            path: entry.path,
            expires: entry.expires.map { min(Date(timeIntervalSince1970: $0), Self.latestExpiry) },
            isHostOnly: entry.hostOnly,
            isSecure: entry.secure,
            isHTTPOnly: entry.httpOnly,
            sameSite: entry.sameSite
        )
    }
}
