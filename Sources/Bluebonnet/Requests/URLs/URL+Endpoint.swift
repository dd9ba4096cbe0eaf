import Foundation

extension URL {
    /// Creates the URL of an endpoint's path below its base URL.
    ///
    /// Characters that a path cannot contain are escaped, and valid escapes are kept. The query of
    /// the base URL precedes that of the path.
    ///
    /// - Throws: An error for a path with a `#` or a segment of dots, and if the parts are not a
    ///   valid URL.
    package init(endpointPath path: String, below base: URL) throws(RequestSerializationError) {
        guard !path.isEmpty else {
            self = base
            return
        }
        let relative = String(Substring(path.utf8.drop { $0 == UInt8(ascii: "/") }))
        if let url = PathPrefix(of: base)?.url(of: relative) {
            self = url
            return
        }
        // Parsed by scalars: a slash followed by a combining mark is a different Character.
        let scalars = path.unicodeScalars
        let mark = scalars.firstIndex(of: "?") ?? scalars.endIndex
        let segments = scalars[..<mark].split(separator: "/", omittingEmptySubsequences: false)
        guard !scalars.contains("#"), !segments.contains(where: { Substring($0).isDots }) else {
            throw RequestSerializationError(
                reason: """
                    the path \(String(path[..<mark]).quoted) has a #, or . or .. as a segment; \
                    escape # as %23, and remove the segment
                    """)
        }
        var parts = URLComponents(url: base, resolvingAgainstBaseURL: true)
        let former = parts?.percentEncodedQuery
        parts?.percentEncodedQuery = nil
        parts?.fragment = nil
        let own = String(scalars[mark...].dropFirst())
        let queries = [former, own].compactMap(\.self).filter { !$0.isEmpty }
        let query = queries.isEmpty ? "" : "?" + queries.joined(separator: "&")
        // The leading `./` keeps the path from being read as a scheme or a host.
        let ownPath = String(String.UnicodeScalarView(scalars[..<mark].drop { $0 == "/" }))
        if mark > scalars.startIndex, parts?.percentEncodedPath.hasSuffix("/") == false {
            parts?.percentEncodedPath += "/"
        }
        let reference = mark > scalars.startIndex ? "./" + ownPath + query : query
        guard let whole = parts?.url, let url = URL(reference: reference, relativeTo: whole) else {
            throw RequestSerializationError(
                reason:
                    "the path \(path.withoutURLSecrets.quoted) and the base URL do not form a URL"
            )
        }
        self = url
    }
}

extension Substring {
    /// Whether it is the segment `.` or `..`, even with escaped dots (RFC 3986 section 5.2.4).
    fileprivate var isDots: Bool {
        guard count <= 6 else { return false }
        let plain = lowercased().replacing("%2e", with: ".")
        return plain == "." || plain == ".."
    }
}
