import Bluebonnet
import Foundation

/// What the header fields of a response say to a cache, read once.
struct ResponseRules: Sendable {
    /// What `Vary` says (RFC 9110 section 12.5.5).
    enum Vary: Sendable, Hashable {
        /// The lowercase names of the request fields that select the response.
        case fields([String])
        /// `*`: no other request is known to get the same response.
        case anything
    }

    let control: CacheControl
    /// The seconds of `Date`, or of the arrival if it is missing or invalid (RFC 9110 section 6.6.1).
    let date: Int64
    /// The seconds of `Expires`; an invalid or ambiguous one is in the past (RFC 9111 section 5.3).
    let expires: Int64?
    let lastModified: Int64?
    let entityTag: EntityTag?
    /// The age that the response had already, in seconds; 0 if it does not say, or if what it says is
    /// invalid (RFC 9111 section 5.1).
    let age: Int64
    let vary: Vary
    /// Whether a cache may guess how long it is fresh (RFC 9111 section 4.2.2).
    let allowsHeuristics: Bool

    init(_ fields: [Exchange.Field], statusCode: Int, receivedAt arrival: Date) {
        control = CacheControl(fields)
        func seconds(of name: String) -> Int64? {
            fields.firstValue(of: name).flatMap { CacheDate.seconds($0, now: arrival) }
        }
        date = seconds(of: "Date") ?? Int64(clamping: arrival.timeIntervalSince1970)
        let expirations = Set(fields.values(of: "Expires"))
        expires =
            expirations.isEmpty
            ? nil : expirations.count == 1 ? seconds(of: "Expires") ?? .min : .min
        lastModified = seconds(of: "Last-Modified")
        entityTag = fields.firstValue(of: "ETag").flatMap { EntityTag($0) }
        let ages = FieldList.members(of: fields.values(of: "Age"))
        age = ages.first.map { CacheControl.Seconds(String($0)).value(ifInvalid: 0) } ?? 0
        var names: [String] = []
        for name in FieldList.members(of: fields.values(of: "Vary")) {
            let name = name.lowercased()
            if !names.contains(name) { names.append(name) }
            // More than any server means; each would be searched for in each request.
            if name == "*" || names.count > Self.maximumVaryCount {
                names = ["*"]
                break
            }
        }
        vary = names == ["*"] ? .anything : .fields(names)
        allowsHeuristics = Self.heuristicStatusCodes.contains(statusCode) || control.isPublic
    }

    /// The most fields of `Vary`; with more, it counts as `*`.
    static let maximumVaryCount = 64

    /// The status codes whose responses can be stored without a word of the server (RFC 9110 section
    /// 15.1, RFC 7725 section 3), save 206, which is not stored.
    static let heuristicStatusCodes: Set = [
        200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 451, 501,
    ]

    /// Whether a request can ask the server if the response is still valid.
    var hasValidator: Bool { entityTag != nil || lastModified != nil }

    /// Returns how many seconds the response is fresh (RFC 9111 section 4.2.1).
    func lifetime(in policy: CachePolicy) -> Int64 {
        if policy.isShared, let seconds = control.sharedMaxAge {
            return seconds.value(ifInvalid: 0)
        }
        if let seconds = control.maxAge { return seconds.value(ifInvalid: 0) }
        if let expires {
            let (lifetime, overflows) = expires.subtractingReportingOverflow(date)
            return overflows ? 0 : min(max(0, lifetime), CacheControl.Seconds.largest)
        }
        guard allowsHeuristics, policy.heuristicFraction > 0, let lastModified,
            lastModified < date
        else { return 0 }
        let guess = Double(date - lastModified) * policy.heuristicFraction
        return Int64(min(guess, policy.maximumHeuristicLifetime))
    }

    /// Whether the response must not be used without validation once it is stale (RFC 9111 section
    /// 4.2.4).
    func forbidsStale(in policy: CachePolicy) -> Bool {
        control.mustRevalidate || control.noCache == .all
            || policy.isShared && (control.proxyRevalidate || control.sharedMaxAge != nil)
    }
}

extension Int64 {
    init(clamping seconds: TimeInterval) {
        self = seconds.isFinite ? Int64(Swift.min(Swift.max(seconds, -1e15), 1e15)) : 0
    }
}
