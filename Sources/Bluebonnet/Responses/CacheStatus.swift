import BluebonnetTransport

/// What a cache did with a request, as `Cache-Status` says it (RFC 9211).
public struct CacheStatus: Sendable, Hashable {
    /// The reason why a cache passed a request on.
    public struct Forwarding: RawRepresentable, Sendable, Hashable {
        /// The token of the field.
        public let rawValue: String

        /// Creates a reason from its token.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The cache was told not to handle the request.
        public static let bypass = Self(rawValue: "bypass")
        /// The method requires it.
        public static let method = Self(rawValue: "method")
        /// No response was stored for the URL.
        public static let uriMiss = Self(rawValue: "uri-miss")
        /// Responses were stored for the URL, but `Vary` selected none.
        public static let varyMiss = Self(rawValue: "vary-miss")
        /// No response was stored that the request could use.
        public static let miss = Self(rawValue: "miss")
        /// A response was fresh, but the request asked for another one.
        public static let request = Self(rawValue: "request")
        /// A response was stored, but stale.
        public static let stale = Self(rawValue: "stale")
        /// A response was stored, but not the whole of it.
        public static let partial = Self(rawValue: "partial")
    }

    /// The name of the cache.
    public var cache: String
    /// Whether a stored response answered the request, and the request was not passed on.
    public var isHit = false
    /// Why the request was passed on; nil if it was not.
    public var forwarding: Forwarding?
    /// The status code with which the next server answered.
    public var forwardStatus: Int?
    /// The remaining lifetime of the response in seconds; negative if it is stale.
    public var timeToLive: Int?
    /// Whether the cache stored the response.
    public var isStored = false
    /// Whether the request shared the exchange of another one.
    public var isCollapsed = false
    /// How the cache identifies the response.
    public var key: String?
    /// Anything else that the cache says.
    public var detail: String?

    /// Creates the status of a cache that has neither answered a request nor passed it on.
    public init(cache: String) { self.cache = cache }
}

extension CacheStatus: CustomStringConvertible {
    /// The member of the field.
    public var description: String {
        var text = ""
        text.reserveCapacity(48)
        text += Self.item(cache)
        if isHit { text += "; hit" }
        if let forwarding { text += "; fwd=\(forwarding.rawValue)" }
        if let forwardStatus { text += "; fwd-status=\(forwardStatus)" }
        if let timeToLive {
            // Without interpolation, because every hit has it.
            text += "; ttl="
            text += String(timeToLive)
        }
        if isStored { text += "; stored" }
        if isCollapsed { text += "; collapsed" }
        if let key { text += "; key=\(Self.string(key))" }
        if let detail { text += "; detail=\(Self.item(detail))" }
        return text
    }

    /// A token if the text is one, otherwise a string.
    private static func item(_ text: String) -> String {
        let isToken =
            text.utf8.first.map { isAlpha($0) || $0 == UInt8(ascii: "*") } ?? false
            && text.utf8.allSatisfy {
                isAlpha($0) || "0123456789!#$%&'*+-.^_`|~:/".utf8.contains($0)
            }
        return isToken ? text : string(text)
    }

    /// A string of printable ASCII; other characters become question marks.
    private static func string(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case " "..."~": quoted.unicodeScalars.append(scalar)
            default: quoted += "?"
            }
        }
        return quoted + "\""
    }

    private static func isAlpha(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}

extension ResponseHead {
    /// What the caches on the way did, the one next to the server first (RFC 9211).
    ///
    /// Members that are not valid are left out.
    public var cacheStatuses: [CacheStatus] {
        exchangeHead.fields.lazy.filter { $0.name.caseInsensitiveEquals("Cache-Status") }
            .flatMap { CacheStatusParser.statuses(in: $0.value) }
    }
}

/// A parser of the list that `Cache-Status` is (RFC 9651 section 4.2).
private struct CacheStatusParser {
    private var rest: Substring.UTF8View

    static func statuses(in value: String) -> [CacheStatus] {
        var parser = Self(rest: Substring(value).utf8)
        var statuses: [CacheStatus] = []
        while !parser.rest.isEmpty {
            if let status = parser.status() { statuses.append(status) }
            parser.skipMember()
        }
        return statuses
    }

    private mutating func status() -> CacheStatus? {
        skipSpace()
        guard let name = text() else { return nil }
        var status = CacheStatus(cache: name)
        while take(";") {
            skipSpace()
            guard let key = token() else { return nil }
            var value: String? = nil
            if take("=") {
                guard let found = text() else { return nil }
                value = found
            }
            switch key {
            case "hit": status.isHit = value == nil || value == "?1"
            case "stored": status.isStored = value == nil || value == "?1"
            case "collapsed": status.isCollapsed = value == nil || value == "?1"
            case "fwd": status.forwarding = value.map { CacheStatus.Forwarding(rawValue: $0) }
            case "fwd-status": status.forwardStatus = value.flatMap { Int($0) }
            case "ttl": status.timeToLive = value.flatMap { Int($0) }
            case "key": status.key = value
            case "detail": status.detail = value
            default: break
            }
        }
        skipSpace()
        return rest.isEmpty || rest.first == UInt8(ascii: ",") ? status : nil
    }

    /// A token, number, boolean or string.
    private mutating func text() -> String? {
        guard rest.first == UInt8(ascii: "\"") else { return token() }
        rest.removeFirst()
        var content: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: content, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst() else { return nil }
                content.append(escaped)
            default: content.append(byte)
            }
        }
        return nil
    }

    private mutating func token() -> String? {
        let end = rest.firstIndex { " \t,;=\"".utf8.contains($0) } ?? rest.endIndex
        defer { rest = rest[end...] }
        return end == rest.startIndex ? nil : String(Substring(rest[..<end]))
    }

    private mutating func skipSpace() { rest = rest.drop { $0 == 0x20 || $0 == 0x09 } }

    private mutating func take(_ character: Character) -> Bool {
        skipSpace()
        guard rest.first == character.asciiValue else { return false }
        rest.removeFirst()
        return true
    }

    /// Skips to the next member; a comma in a string does not end one.
    private mutating func skipMember() {
        var isQuoted = false
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\"), isQuoted {
                _ = rest.popFirst()
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == UInt8(ascii: ","), !isQuoted {
                return
            }
        }
    }
}
