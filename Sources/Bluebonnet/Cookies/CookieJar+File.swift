import BluebonnetTransport
public import Foundation

extension CookieJar {
    /// Reads a jar from a file that ``save(to:includingSessionCookies:)`` wrote.
    ///
    /// Every cookie is checked again as if it had just been received from its own domain; those
    /// that have expired or are not acceptable are left out. It blocks on the disk.
    ///
    /// - Parameters:
    ///   - url: a file URL.
    ///   - date: the time by which cookies have expired.
    /// - Throws: ``CookieFileError``, also when there is no file.
    public init(contentsOf url: URL, at date: Date = Date()) throws(CookieFileError) {
        let file = try CookieFile(reading: Self.data(at: url), from: url)
        self.init(restoring: file.restored, at: date)
    }

    /// Writes the jar to a file, whole or not at all, that only its owner may read (mode 0600).
    ///
    /// The file is a JSON object with `format`, "bluebonnet-cookies"; `version`, 1; and `cookies`,
    /// an array in order of creation of objects with `name`, `value`, `domain` (without a dot in
    /// front), `path`, `expires` (seconds since 1970; absent for a session cookie), `hostOnly`,
    /// `secure`, `httpOnly`, `sameSite` ("strict", "lax" or "none"; may be absent) and `lastUse`
    /// (a number that is larger the later a cookie was used). It blocks on the disk.
    ///
    /// - Parameters:
    ///   - url: a file URL. A file that is there already is replaced if it is empty or a cookie
    ///     file of this or an older version, and else left as it is.
    ///   - includingSessionCookies: whether cookies without an expiry date are written too.
    /// - Throws: ``CookieFileError``.
    public func save(
        to url: URL, includingSessionCookies: Bool = false
    ) throws(CookieFileError) {
        try Self.checkReplaceable(url)
        let cookies = all.filter { includingSessionCookies || $0.expires != nil }
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let data = try encoder.encode(CookieFile(cookies))
            try data.withUnsafeBytes { try PrivateFile.replace(atPath: url.path, with: $0) }
        } catch {
            throw .unwritable(url, underlying: error)
        }
    }

    private static func checkReplaceable(_ url: URL) throws(CookieFileError) {
        do throws(CookieFileError) {
            let data = try data(at: url)
            if !data.isEmpty { _ = try CookieFile(reading: data, from: url) }
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
