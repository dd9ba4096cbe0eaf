import Bluebonnet

/// The directives of `Cache-Control` (RFC 9111 section 5.2).
///
/// Unknown directives are ignored. A number of seconds that is repeated with another value, or that is
/// not made of digits, is ``Seconds/invalid``.
struct CacheControl: Sendable, Hashable {
    /// The argument of a directive that takes a number of seconds (RFC 9111 section 1.2.2).
    enum Seconds: Sendable, Hashable {
        case valid(Int64)
        case invalid

        /// What stands for a number that is too large.
        static let largest: Int64 = 2_147_483_648

        /// Returns the number, or another one if it is invalid.
        func value(ifInvalid other: Int64) -> Int64 {
            if case .valid(let seconds) = self { seconds } else { other }
        }

        init(_ text: String) {
            guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                self = .invalid
                return
            }
            self = .valid(min(Int64(text) ?? Self.largest, Self.largest))
        }
    }

    /// The names in a directive such as `private`, which holds for the whole response without them.
    enum Scope: Sendable, Hashable {
        case all
        case fields(Set<String>)
    }

    // Of requests and responses.
    var maxAge: Seconds?
    var noStore = false
    var noCache: Scope?
    var staleIfError: Seconds?

    // Of requests.
    var maxStale: Seconds?
    var minFresh: Seconds?
    var onlyIfCached = false

    // Of responses.
    var sharedMaxAge: Seconds?
    var isPublic = false
    var isPrivate: Scope?
    var mustRevalidate = false
    var proxyRevalidate = false
    var mustUnderstand = false
    var isImmutable = false
    var staleWhileRevalidate: Seconds?

    /// Reads all fields with the name.
    init(_ fields: [Exchange.Field]) {
        for value in fields.values(of: "Cache-Control") {
            FieldList.forEachMember(of: value) { add($0) }
        }
    }

    private mutating func add(_ member: Substring) {
        let parts = member.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts[0].trimmingOptionalWhitespace().lowercased()
        // One that is not well formed is as good as empty: invalid, or for the whole response.
        let argument =
            parts.count > 1 ? parts[1].trimmingOptionalWhitespace().unquoted ?? "" : nil
        switch name {
        case "max-age": set(\.maxAge, to: argument)
        case "s-maxage": set(\.sharedMaxAge, to: argument)
        case "min-fresh": set(\.minFresh, to: argument)
        case "stale-while-revalidate": set(\.staleWhileRevalidate, to: argument)
        case "stale-if-error": set(\.staleIfError, to: argument)
        // Without an argument, any staleness is accepted.
        case "max-stale": set(\.maxStale, to: argument ?? "\(Seconds.largest)")
        case "no-store": noStore = true
        case "no-cache": noCache = Self.scope(noCache, with: argument)
        case "private": isPrivate = Self.scope(isPrivate, with: argument)
        case "public": isPublic = true
        case "must-revalidate": mustRevalidate = true
        case "proxy-revalidate": proxyRevalidate = true
        case "must-understand": mustUnderstand = true
        case "only-if-cached": onlyIfCached = true
        case "immutable": isImmutable = true
        default: break
        }
    }

    private mutating func set(_ path: WritableKeyPath<Self, Seconds?>, to argument: String?) {
        let seconds = Seconds(argument ?? "")
        let isConflict = self[keyPath: path].map { $0 != seconds } ?? false
        self[keyPath: path] = isConflict ? .invalid : seconds
    }

    /// Returns the scope with another occurrence of its directive; the widest holds.
    private static func scope(_ scope: Scope?, with argument: String?) -> Scope {
        var names: Set<String> = []
        for name in FieldList.members(of: [argument ?? ""]) { names.insert(name.lowercased()) }
        switch scope {
        case .all: return .all
        case _ where names.isEmpty: return .all
        case nil: return .fields(names)
        case .fields(let former): return .fields(former.union(names))
        }
    }
}

extension CacheControl {
    /// Whether the response to a request may answer others in a shared cache (RFC 9111 section 3.5).
    func permitsSharing(after request: RequestRules) -> Bool {
        !request.hasCredentials || isPublic || mustRevalidate || sharedMaxAge != nil
    }
}
