import Bluebonnet

/// What a stored response is looked up by, before `Vary` selects among several.
public struct CacheKey: Sendable, Hashable {
    /// The URL, with a lowercase scheme and host, and without a default port and a fragment (RFC 9110
    /// section 4.2.3).
    public let url: String
    /// The user, tenant or other principal to whom the response belongs, with a slash behind it; empty
    /// in a shared cache.
    public let partition: String

    init(normalized url: String, partition: String) {
        (self.url, self.partition) = (url, partition)
    }

    /// Creates the key of a URL.
    public init(url: String, partition: String = "") {
        self.init(normalized: Self.normalized(url), partition: partition)
    }

    /// The host, with its port, and without a user.
    var host: String {
        var url = url
        return url.withUTF8 { bytes in
            var start = min(bytes.hasPrefix("https://") ? 8 : 7, bytes.count)
            var end = start
            while end < bytes.count {
                switch bytes[end] {
                case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"):
                    return String(decoding: bytes[start..<end], as: UTF8.self)
                case UInt8(ascii: "@"): start = end + 1
                default: break
                }
                end += 1
            }
            return String(decoding: bytes[start...], as: UTF8.self)
        }
    }

    /// Where the host and its scheme are the same: scheme, user, host and port.
    var origin: Substring {
        guard let start = url.range(of: "://")?.upperBound else { return url[...] }
        return url[..<(url[start...].firstIndex { "/?".contains($0) } ?? url.endIndex)]
    }

    /// The path and query are left as they are: different spellings are different keys, which costs
    /// an exchange and confuses nothing.
    private static func normalized(_ url: String) -> String {
        // As almost all URLs are that a session sends.
        if isNormalized(url) { return url }
        let bytes = url.utf8.prefix { $0 != UInt8(ascii: "#") }
        guard let slashes = Substring(bytes).range(of: "://") else { return String(bytes) ?? url }
        let rest = bytes[slashes.upperBound...]
        let end =
            rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
            ?? rest.endIndex
        // A user's name and password keep their case.
        let user = rest[..<end].lastIndex(of: UInt8(ascii: "@")).map { rest.index(after: $0) }
        let scheme = Substring(bytes[..<slashes.lowerBound]).lowercased()
        var host = Substring(rest[(user ?? rest.startIndex)..<end]).lowercased()
        let port = scheme == "https" ? ":443" : ":80"
        if host.hasSuffix(port) { host.removeLast(port.count) }
        if host.hasSuffix(":") { host.removeLast() }
        let path = Substring(rest[end...])
        let slash = path.utf8.first == UInt8(ascii: "/") ? "" : "/"
        return "\(scheme)://\(Substring(rest[..<(user ?? rest.startIndex)]))\(host)\(slash)\(path)"
    }

    /// Whether a URL is `http` or `https` with a host in lowercase, without a user, a default port and
    /// a fragment, and with a path.
    private static func isNormalized(_ url: String) -> Bool {
        var url = url
        return url.withUTF8 { bytes in
            let scheme = bytes.hasPrefix("https://") ? 8 : 7
            guard scheme == 8 || bytes.hasPrefix("http://") else { return false }
            var place = scheme
            while place < bytes.count, bytes[place] != UInt8(ascii: "/") {
                switch bytes[place] {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "-"), UInt8(ascii: "."):
                    place += 1
                case UInt8(ascii: ":"):
                    let port = bytes[(place + 1)...].prefix { $0 != UInt8(ascii: "/") }
                    guard !port.isEmpty, port.allSatisfy({ (0x30...0x39).contains($0) }),
                        !port.elementsEqual((scheme == 8 ? "443" : "80").utf8)
                    else { return false }
                    place += 1 + port.count
                default: return false
                }
            }
            guard place > scheme, place < bytes.count else { return false }
            return !bytes[place...].contains(UInt8(ascii: "#"))
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the bytes begin with those of a text; faster than comparing sequences.
    func hasPrefix(_ prefix: StaticString) -> Bool {
        guard count >= prefix.utf8CodeUnitCount else { return false }
        for place in 0..<prefix.utf8CodeUnitCount where self[place] != prefix.utf8Start[place] {
            return false
        }
        return true
    }
}
