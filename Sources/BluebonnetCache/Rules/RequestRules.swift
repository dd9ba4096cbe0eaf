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
    /// Whether the request depends on a state of the resource that only the server knows.
    let hasUnsafeCondition: Bool
    /// Whether the request asks for the response only if it differs from the caller's.
    let hasCondition: Bool
    let cachePolicy: URLRequest.CachePolicy

    private static let safeMethods: Set = ["GET", "HEAD", "OPTIONS", "TRACE", "QUERY"]

    init(_ exchange: Exchange) {
        isHead = exchange.method == "HEAD"
        isCacheable = (isHead || exchange.method == "GET") && exchange.body == nil
        isUnsafe = !Self.safeMethods.contains(exchange.method)
        cachePolicy = exchange.cachePolicy
        var names = Set<String>()
        for field in exchange.fields { names.insert(field.name.lowercased()) }
        hasCredentials =
            names.contains("authorization") || names.contains("cookie")
            || exchange.pool.hasClientIdentity
        range = names.contains("range") ? exchange.fields.firstValue(of: "Range") : nil
        hasUnsafeCondition = names.contains("if-match") || names.contains("if-unmodified-since")
        hasCondition = names.contains("if-none-match") || names.contains("if-modified-since")
        var control = CacheControl(names.contains("cache-control") ? exchange.fields : [])
        // As most caches do, although RFC 9111 no longer asks for it (section 5.4).
        if !names.contains("cache-control"), names.contains("pragma"),
            FieldList.members(of: exchange.fields.values(of: "Pragma"))
                .contains(where: { $0.equalsIgnoringCase("no-cache") })
        {
            control.noCache = .all
        }
        self.control = control
    }
}
