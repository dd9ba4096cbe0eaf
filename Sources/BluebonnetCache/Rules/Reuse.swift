import Bluebonnet
import Foundation
import FoundationNetworking

/// What a cache does with a request (RFC 9111 section 4).
enum Reuse {
    /// The response is used without asking the server, which is asked afterwards if it has become
    /// stale.
    case use(StoredResponse, refreshes: Bool)
    /// The server is asked whether the response is still valid.
    case validate(StoredResponse, CacheStatus.Forwarding)
    /// The server is asked for the response.
    case forward(CacheStatus.Forwarding)

    /// Decides about a request.
    ///
    /// - Parameters:
    ///   - stored: The responses that are stored for the URL and partition.
    ///   - request: The request.
    ///   - fields: The header fields of the request, which select among the responses.
    ///   - now: The time.
    ///   - policy: The policy of the cache.
    init(
        of stored: [StoredResponse], for request: RequestRules, with fields: [Exchange.Field],
        at now: CacheTime, in policy: CachePolicy
    ) {
        guard let response = stored.selected(by: fields) else {
            self = .forward(stored.isEmpty ? .uriMiss : .varyMiss)
            return
        }
        let age = response.age(at: now)
        let isStale = TimeInterval(response.rules.lifetime(in: policy)) <= age
        let refusal = isStale ? CacheStatus.Forwarding.stale : .request
        switch request.cachePolicy {
        case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData:
            self = .forward(refusal)
        case .returnCacheDataElseLoad where request.control.noCache == nil,
            .returnCacheDataDontLoad where request.control.noCache == nil:
            // The server's word that a stale response is wrong wins over a caller who ignores age.
            let mayBeStale = !response.rules.forbidsStale(in: policy)
            let isUsable = response.rules.control.noCache != .all && !isStale
            self =
                mayBeStale || isUsable
                ? .use(response, refreshes: false) : .validate(response, .stale)
        case .reloadRevalidatingCacheData where isStale || !Self.isImmutable(response):
            self = .validate(response, refusal)
        default:
            self = Self.byProtocol(response, request.control, age, policy)
        }
    }

    /// Whether a reload of a fresh response need not ask (RFC 8246 section 2); only over a connection that is
    /// authenticated.
    private static func isImmutable(_ response: StoredResponse) -> Bool {
        response.rules.control.isImmutable && response.key.url.hasPrefix("https:")
            && response.rules.control.noCache != .all
    }

    private static func byProtocol(
        _ response: StoredResponse, _ request: CacheControl, _ age: TimeInterval,
        _ policy: CachePolicy
    ) -> Reuse {
        let control = response.rules.control
        let lifetime = TimeInterval(response.rules.lifetime(in: policy))
        let staleness = age - lifetime
        let refusal = staleness < 0 ? CacheStatus.Forwarding.request : .stale
        if request.noCache != nil { return .validate(response, refusal) }
        if control.noCache == .all { return .validate(response, .stale) }
        if let limit = request.maxAge, age > TimeInterval(limit.value(ifInvalid: 0)) {
            return .validate(response, refusal)
        }
        if let least = request.minFresh {
            let needed = TimeInterval(least.value(ifInvalid: CacheControl.Seconds.largest))
            if lifetime < age + needed { return .validate(response, refusal) }
        }
        if staleness < 0 { return .use(response, refreshes: false) }
        guard !response.rules.forbidsStale(in: policy) else { return .validate(response, .stale) }
        if let accepted = request.maxStale,
            staleness <= TimeInterval(accepted.value(ifInvalid: 0))
        {
            return .use(response, refreshes: false)
        }
        // A caller who limits the age does not want a stale response (RFC 9111 section 5.2.1.1).
        if request.maxAge == nil, let seconds = control.staleWhileRevalidate,
            staleness <= TimeInterval(seconds.value(ifInvalid: 0))
        {
            return .use(response, refreshes: true)
        }
        return .validate(response, .stale)
    }
}

extension StoredResponse {
    /// Whether the response may be used although the server cannot be reached or fails (RFC 5861
    /// section 4).
    func mayReplaceError(
        for request: RequestRules, at now: CacheTime, in policy: CachePolicy
    ) -> Bool {
        guard !rules.forbidsStale(in: policy), request.control.noCache == nil else { return false }
        let staleness = -remainingLifetime(at: now, in: policy)
        let windows = [rules.control.staleIfError, request.control.staleIfError]
        return windows.contains { window in
            window.map { staleness <= TimeInterval($0.value(ifInvalid: 0)) } ?? false
        }
    }
}
