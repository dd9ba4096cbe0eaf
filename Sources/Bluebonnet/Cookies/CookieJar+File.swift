import BluebonnetTransport
public import Foundation

extension CookieJar {
    /// Creates a jar from a file that ``save(to:includingSessionCookies:)`` wrote.
    ///
    /// Each cookie is checked as if its own domain had just sent it. Expired and unacceptable
    /// cookies are left out. The call blocks while it reads the file.
    ///
    /// - Parameters:
    ///   - url: A file URL.
    ///   - date: The time used to determine which cookies have expired; now by default.
    /// - Throws: A ``CookieFileError``, including when the file does not exist.
    public init(contentsOf url: URL, at date: Date = Date()) throws(CookieFileError) {
        let file = try CookieFileFormat(reading: Self.data(at: url), from: url)
        self.init(restoring: file.restored, at: date)
    }

    /// Writes the jar to a file atomically, with access for its owner only (mode 0600).
    ///
    /// The file is a JSON object with three members: `format`, which is "bluebonnet-cookies";
    /// `version`, which is 1; and `cookies`, an array of objects in order of creation. Each of
    /// these objects has the following members:
    ///
    /// - `name`, `value`, `path`
    /// - `domain`: The domain without a leading dot.
    /// - `expires`: The expiry date in seconds since 1970, absent for a session cookie.
    /// - `hostOnly`, `secure`, `httpOnly`: Booleans.
    /// - `sameSite`: "strict", "lax" or "none", or absent.
    /// - `lastUse`: The rank by last use, an integer; the most recently used cookie has the
    ///   largest.
    ///
    /// The call blocks until the file is on disk.
    ///
    /// - Parameters:
    ///   - url: A file URL. An existing file is replaced only if it is empty, or a cookie file of
    ///     this or an older version. Of a symbolic link, the file that it leads to is replaced. Any
    ///     other file is left unchanged, and the call throws.
    ///   - includingSessionCookies: Whether to write cookies without an expiry date too; false by
    ///     default.
    /// - Throws: A ``CookieFileError``.
    public func save(
        to url: URL, includingSessionCookies: Bool = false
    ) throws(CookieFileError) {
        try Self.checkReplaceable(url)
        let cookies = all.filter { includingSessionCookies || $0.expires != nil }
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let data = try encoder.encode(CookieFileFormat(cookies))
            try data.withUnsafeBytes { try PrivateFile.replace(atPath: url.path, with: $0) }
        } catch {
            throw .unwritable(url, underlying: error)
        }
    }

    private static func checkReplaceable(_ url: URL) throws(CookieFileError) {
        do throws(ReplacedFile.Refusal) {
            // Before it is read: a pipe could block, and a device might have no end.
            _ = try ReplacedFile(at: url.path)
        } catch {
            throw .unwritable(url, underlying: error)
        }
        do throws(CookieFileError) {
            let data = try data(at: url)
            if !data.isEmpty { _ = try CookieFileFormat(reading: data, from: url) }
        } catch .notFound {
            return
        }
    }

    private static func data(at url: URL) throws(CookieFileError) -> Data {
        guard url.isFileURL else {
            throw .unreadable(url, underlying: URLError(.unsupportedURL))
        }
        do throws(SystemError) {
            return try FileContents.read(url.path)
        } catch {
            throw error.isAboutMissingFile
                ? .notFound(url) : .unreadable(url, underlying: error.posixError)
        }
    }
}
