import Bluebonnet

/// What a stored response is looked up by, before `Vary` selects among several.
public struct CacheKey: Sendable, Hashable {
    /// The URL, with a lowercase scheme and host, and without a default port and a fragment (RFC 9110
    /// section 4.2.3).
    public let url: String
    /// The user, tenant or other principal to whom the response belongs; empty in a shared cache.
    public let partition: String

    init(normalized url: String, partition: String) {
        (self.url, self.partition) = (url, partition)
    }

    init(url: String, partition: String) {
        self.init(normalized: Self.normalized(url), partition: partition)
    }

    /// Where the host and its scheme are the same: scheme, user, host and port.
    var origin: Substring {
        guard let start = url.range(of: "://")?.upperBound else { return url[...] }
        return url[..<(url[start...].firstIndex { "/?".contains($0) } ?? url.endIndex)]
    }

    /// The path and query are left as they are: different spellings are different keys, which costs
    /// an exchange and confuses nothing.
    private static func normalized(_ url: String) -> String {
        let url = url.prefix { $0 != "#" }
        guard let colon = url.range(of: "://") else { return String(url) }
        let scheme = url[..<colon.lowerBound].lowercased()
        let end = url[colon.upperBound...].firstIndex { "/?".contains($0) } ?? url.endIndex
        var authority = String(url[colon.upperBound..<end])
        // A user's name and password keep their case.
        let host = authority.lastIndex(of: "@").map { authority.index(after: $0) }
        let hostStart = host ?? authority.startIndex
        authority = authority[..<hostStart] + authority[hostStart...].lowercased()
        let port = scheme == "https" ? ":443" : ":80"
        if authority.hasSuffix(port) { authority.removeLast(port.count) }
        if authority.hasSuffix(":") { authority.removeLast() }
        let path = url[end...]
        let slash = path.hasPrefix("/") ? "" : "/"
        return "\(scheme)://\(authority)\(slash)\(path)"
    }
}
