public import Foundation

extension URL {
    /// The URL of a target: its path below its base URL.
    ///
    /// Where ``TargetType/path`` could not be sent, the call fails, and this is the base with that path escaped.
    ///
    /// - Parameter target: The target.
    public init<Target: TargetType>(target: Target) {
        let (base, path) = (target.baseURL, target.path)
        do {
            self = try URL(targetPath: path, below: base)
        } catch {
            self = base.appendingPathComponent(path)
        }
    }

    /// The URL of a target's path below its base; an error for a path that would lead somewhere else than it says.
    ///
    /// What cannot be in a path is escaped, and a valid escape stays. The query of the base goes before that of the
    /// path.
    init(targetPath path: String, below base: URL) throws(RequestSerializationError) {
        guard !path.isEmpty else {
            self = base
            return
        }
        // By scalars, since a mark that combines with a slash makes another character of it.
        let scalars = path.unicodeScalars
        let mark = scalars.firstIndex(of: "?") ?? scalars.endIndex
        let segments = scalars[..<mark].split(separator: "/", omittingEmptySubsequences: false)
        guard !scalars.contains("#"), !segments.contains(where: { Substring($0).isDots }) else {
            throw RequestSerializationError(
                reason: """
                    the path \(String(path[..<mark]).quoted) of the target has a # or a segment of dots; escape \
                    a # as %23, and leave dots out
                    """)
        }
        var parts = URLComponents(url: base, resolvingAgainstBaseURL: true)
        let former = parts?.percentEncodedQuery
        parts?.percentEncodedQuery = nil
        parts?.fragment = nil
        let own = String(scalars[mark...].dropFirst())
        let queries = [former, own].compactMap(\.self).filter { !$0.isEmpty }
        let query = queries.isEmpty ? "" : "?" + queries.joined(separator: "&")
        // With a segment in front, so that the rest is no scheme or host, whatever it begins with.
        let relative = String(String.UnicodeScalarView(scalars[..<mark].drop { $0 == "/" }))
        if mark > scalars.startIndex, parts?.percentEncodedPath.hasSuffix("/") == false {
            parts?.percentEncodedPath += "/"
        }
        let reference = mark > scalars.startIndex ? "./" + relative + query : query
        guard let whole = parts?.url, let url = URL(reference: reference, relativeTo: whole) else {
            throw RequestSerializationError(
                reason:
                    "the path \(path.withoutURLSecrets.quoted) and the base URL of the target make no URL"
            )
        }
        self = url
    }
}

extension Substring {
    /// Whether it is a segment that leads elsewhere, also where its dots are escaped (RFC 3986 section 5.2.4).
    fileprivate var isDots: Bool {
        guard count <= 6 else { return false }
        let plain = lowercased().replacing("%2e", with: ".")
        return plain == "." || plain == ".."
    }
}
