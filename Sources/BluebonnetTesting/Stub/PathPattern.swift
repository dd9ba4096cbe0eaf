import Foundation

/// A pattern for paths, such as `/users/:id`, preceded by the origin if it matters.
///
/// `:name` matches one segment, whose text is kept under that name. `*` matches one segment, and
/// `**` at the end matches any number of them, including none.
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
            origin = Self.normalized(pattern[..<end])
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

    /// Returns the texts of the named segments; nil if an absolute URL does not match.
    func match(_ url: String) -> [String: String]? {
        let target = Self.target(of: url)
        if let origin, origin != Self.normalized(target.origin) { return nil }
        var parts = Self.parts(of: target.path)[...]
        var names: [String: String] = [:]
        for segment in segments {
            if segment == .rest { return names }
            guard let part = parts.popFirst() else { return nil }
            let text =
                part.utf8.contains(UInt8(ascii: "%")) ? part.removingPercentEncoding ?? part : part
            switch segment {
            case .text(let wanted): if text != wanted { return nil }
            case .named(let name): names[name] = text
            case .any, .rest: break
            }
        }
        return parts.isEmpty ? names : nil
    }

    /// Returns the segments of a path; `/a/` differs from `/a` by an empty last segment.
    private static func parts(of path: Substring) -> [String] {
        let bytes = path.utf8.first == UInt8(ascii: "/") ? path.utf8.dropFirst() : path.utf8
        return bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
    }

    /// Returns an origin in lower case, without the scheme's default port.
    private static func normalized(_ origin: Substring) -> String {
        let origin = origin.lowercased()
        for (scheme, port) in [("http://", ":80"), ("https://", ":443")]
        where origin.hasPrefix(scheme) && origin.hasSuffix(port) {
            return String(origin.dropLast(port.count))
        }
        return origin
    }

    /// Returns the origin of a URL, and its path as written.
    private static func target(of url: String) -> (origin: Substring, path: Substring) {
        let bytes = url.utf8
        // After the two slashes that follow the scheme.
        let colon = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.startIndex
        let start = bytes.index(colon, offsetBy: 3, limitedBy: bytes.endIndex) ?? bytes.endIndex
        let isEnd: (UInt8) -> Bool = { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        let end =
            bytes[start...].firstIndex { $0 == UInt8(ascii: "/") || isEnd($0) } ?? bytes.endIndex
        let pathEnd = bytes[end...].firstIndex(where: isEnd) ?? bytes.endIndex
        return (url[..<end], url[end..<pathEnd])
    }
}
