import Bluebonnet
import Foundation
import FoundationNetworking

/// What a request says to a cache, read once.
struct RequestRules: Sendable {
    let control: CacheControl
    let isHead: Bool
    /// Whether a response may be stored and reused for the method at all.
    let isCacheable: Bool
    /// Whether the method can change the resource (RFC 9110 section 9.2.1).
    let isUnsafe: Bool
    /// Whether the request speaks for a user.
    let hasCredentials: Bool
    let range: String?
    /// Whether the request asks for several ranges, or those of a unit that only the server knows.
    var hasForeignRange: Bool {
        guard let range, let equals = range.firstIndex(of: "=") else { return false }
        let unit = range[..<equals].trimmingOptionalWhitespace()
        return range.contains(",") || !unit.equalsIgnoringCase("bytes")
    }
    /// Whether the request depends on a state of the resource that only the server knows.
    let hasUnsafeCondition: Bool
    /// Whether the request asks for the response only if it differs from the caller's.
    let hasCondition: Bool
    let cachePolicy: URLRequest.CachePolicy

    /// Answers a request that must not be sent; nil for others.
    var refusal: Exchange.Report? {
        if control.onlyIfCached {
            return Exchange.Report(head: Exchange.Head(statusCode: 504), end: Exchange.End())
        }
        guard cachePolicy == .returnCacheDataDontLoad else { return nil }
        let failure = Exchange.Failure(
            .resourceUnavailable,
            message:
                "nothing was sent: the cache has no response, and the request's cache policy is "
                + "returnCacheDataDontLoad")
        return Exchange.Report(
            end: Exchange.End(failure: failure, metrics: Exchange.Metrics(), wasSent: false))
    }

    private static let safeMethods: Set = ["GET", "HEAD", "OPTIONS", "TRACE", "QUERY"]

    /// Reads a request.
    ///
    /// - Parameters:
    ///   - exchange: The request.
    ///   - credentialFields: Further fields that identify a user.
    init(_ exchange: Exchange, credentialFields: Set<String>) {
        isHead = exchange.method == "HEAD"
        isCacheable = (isHead || exchange.method == "GET") && exchange.body == nil
        isUnsafe = !isCacheable && !Self.safeMethods.contains(exchange.method)
        cachePolicy = exchange.cachePolicy
        var names = Names()
        for field in exchange.fields {
            if let name = Names(of: field.name) { names.formUnion(name) }
            if !credentialFields.isEmpty,
                credentialFields.contains(where: { $0.equalsIgnoringCase(field.name) })
            {
                names.formUnion(.credentials)
            }
        }
        // Of HEAD, there is no part (RFC 9110 section 14.2).
        range =
            names.contains(.range) && !isHead
            ? exchange.fields.values(of: "Range").joined(separator: ",") : nil
        hasCredentials = !names.isDisjoint(with: .credentials) || exchange.pool.hasClientIdentity
        hasUnsafeCondition = !names.isDisjoint(with: .unsafeConditions)
        hasCondition = !names.isDisjoint(with: .conditions)
        var control = CacheControl(names.contains(.cacheControl) ? exchange.fields : [])
        // As most caches do, although RFC 9111 no longer asks for it (section 5.4).
        if !names.contains(.cacheControl), names.contains(.pragma),
            FieldList.members(of: exchange.fields.values(of: "Pragma"))
                .contains(where: { $0.equalsIgnoringCase("no-cache") })
        {
            control.noCache = .all
        }
        self.control = control
    }

    /// The fields of requests that concern a cache.
    private struct Names: OptionSet {
        let rawValue: Int

        static let range = Self(rawValue: 1)
        static let cacheControl = Self(rawValue: 2)
        static let pragma = Self(rawValue: 4)
        static let credentials = Self(rawValue: 8)
        static let conditions = Self(rawValue: 16)
        static let unsafeConditions = Self(rawValue: 32)

        /// Creates the option of a name; returns nil for most names, which differ in length.
        init?(of name: String) {
            func isNamed(_ other: String) -> Bool { name.equalsIgnoringCase(other) }
            switch name.utf8.count {
            case 5 where isNamed("Range"): self = .range
            case 6 where isNamed("Pragma"): self = .pragma
            case 6 where isNamed("Cookie"): self = .credentials
            case 8 where isNamed("If-Match"): self = .unsafeConditions
            case 13 where isNamed("Cache-Control"): self = .cacheControl
            case 13 where isNamed("Authorization"): self = .credentials
            case 13 where isNamed("If-None-Match"): self = .conditions
            case 17 where isNamed("If-Modified-Since"): self = .conditions
            case 19 where isNamed("If-Unmodified-Since"): self = .unsafeConditions
            default: return nil
            }
        }

        init(rawValue: Int) { self.rawValue = rawValue }
    }
}
