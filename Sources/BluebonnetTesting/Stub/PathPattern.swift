import Foundation

/// A pattern for paths, such as `/users/:id`, with the host in front if it matters.
///
/// `:name` stands for one segment, whose text is kept under that name, `*` for one segment, and `**` at the end for
/// any number of them, none included.
struct PathPattern: Sendable, Hashable, CustomStringConvertible {
    private enum Segment: Hashable {
        case text(String)
        case named(String)
        case any
        case rest
    }

    let description: String
    /// Scheme, host and port in lower case; nil for any.
    private let origin: String?
    private let segments: [Segment]

    init(_ pattern: String) {
        description = pattern
        var path = Substring(pattern)
        if let scheme = pattern.range(of: "://") {
            let end = pattern[scheme.upperBound...].firstIndex(of: "/") ?? pattern.endIndex
            origin = pattern[..<end].lowercased()
            path = pattern[end...]
        } else {
            origin = nil
        }
        let parts = Self.parts(of: path)
        segments = parts.enumerated().map { index, part in
            if part == "**", index == parts.count - 1 { return .rest }
            if part == "*" { return .any }
            if part.first == ":", part.count > 1 { return .named(String(part.dropFirst())) }
            return .text(part.removingPercentEncoding ?? part)
        }
    }

    /// The texts of the named segments; nil if the URL does not match.
    func match(_ url: URL) -> [String: String]? {
        if let origin, origin != Self.origin(of: url) { return nil }
        let path = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? ""
        var parts = Self.parts(of: path[...])[...]
        var names: [String: String] = [:]
        for segment in segments {
            if segment == .rest { return names }
            guard let part = parts.popFirst() else { return nil }
            let text = part.removingPercentEncoding ?? part
            switch segment {
            case .text(let wanted): if text != wanted { return nil }
            case .named(let name): names[name] = text
            case .any, .rest: break
            }
        }
        return parts.isEmpty ? names : nil
    }

    /// `/a/` and `/a` are two paths, so an empty last segment counts.
    private static func parts(of path: Substring) -> [String] {
        let path = path.first == "/" ? path.dropFirst() : path
        return path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    }

    private static func origin(of url: URL) -> String {
        let port = url.port.map { ":\($0)" } ?? ""
        return "\(url.scheme ?? "")://\(url.host ?? "")\(port)".lowercased()
    }
}
