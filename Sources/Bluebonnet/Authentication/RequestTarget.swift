import Foundation

/// The forms of a request target (RFC 9112 section 3.2), extracted from a URL without changes.
enum RequestTarget {
    /// Returns the path and query.
    static func originForm(of url: String) -> String {
        let url = url.prefix { $0 != "#" }
        guard let authority = url.range(of: "://") else { return "/" }
        let rest = url[authority.upperBound...]
        guard let start = rest.firstIndex(where: { $0 == "/" || $0 == "?" }) else { return "/" }
        return rest[start] == "?" ? "/\(rest[start...])" : String(rest[start...])
    }

    /// Returns the URL without its fragment, and with a path.
    static func absoluteForm(of url: String) -> String {
        let url = url.prefix { $0 != "#" }
        guard let authority = url.range(of: "://") else { return String(url) }
        let host = url[authority.upperBound...].prefix { $0 != "/" && $0 != "?" }
        return url[..<host.endIndex] + originForm(of: String(url))
    }

    static func path(of target: String) -> String { String(target.prefix { $0 != "?" }) }
}
