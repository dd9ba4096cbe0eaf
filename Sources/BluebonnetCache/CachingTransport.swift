public import Bluebonnet
import Foundation

/// A transport that answers requests from a cache, and passes the others on (RFC 9111).
///
/// It stands between a manager and the transport that talks to servers; redirects, cookies,
/// authentication and retries stay above it:
///
/// ```swift
/// let cache = CachingTransport(around: CurlTransport.shared, store: MemoryCacheStore())
/// let api = HTTPSessionManager(baseURL: URL(string: "https://example.org"), transport: cache)
/// ```
///
/// Managers that use the same object share its responses. Each request must see the same clock.
///
/// Equal requests that are under way at the same time share one exchange, unless its response turns
/// out to be for one of them alone.
public final class CachingTransport: Transport {
    /// What is stored and reused.
    public var policy: CachePolicy { core.policy }
    /// Where the responses are.
    public var store: any CacheStore { core.store }

    private let core: CacheCore

    /// Creates a cache.
    ///
    /// - Parameters:
    ///   - transport: The transport that sends requests. The default is `CurlTransport.shared`.
    ///   - store: Where the responses are kept. The default is 64 MiB of memory.
    ///   - policy: What is stored and reused. The default is ``CachePolicy/shared``.
    ///   - observer: A closure that is called with each event, on the thread on which it happens. It
    ///     must not block.
    public init(
        around transport: any Transport = CurlTransport.shared,
        store: any CacheStore = MemoryCacheStore(), policy: CachePolicy = .shared,
        observer: (@Sendable (CacheEvent) -> Void)? = nil
    ) {
        core = CacheCore(
            below: transport, store: store, policy: policy, record: CacheRecord(observer))
        if let observer { store.onFailure { observer(.storeFailed($0)) } }
    }

    /// What the cache has done.
    public var statistics: CacheStatistics { core.record.total }

    /// What the cache has done, by the host and port of the URL.
    ///
    /// After a thousand hosts, further ones are counted together, as the host "".
    public var statisticsByHost: [String: CacheStatistics] { core.record.byHost }

    /// Removes what is stored for a URL, in each partition.
    ///
    /// A response that is being received is not stored either.
    ///
    /// - Parameter url: The URL, with its query. A fragment is ignored.
    public func remove(_ url: URL) {
        core.invalidate([CacheKey(url: url.absoluteURL.absoluteString).url])
    }

    /// Removes everything that is stored.
    ///
    /// A response that is being received is not stored either.
    public func removeAll() { core.removeAll() }

    /// Creates the transfer of an exchange.
    public func transfer(
        for exchange: consuming Exchange, reportingTo sink: any ExchangeSink
    ) -> any Transfer {
        let exchange = exchange
        let request = RequestRules(exchange, credentialFields: core.policy.credentialFields)
        // A server that was not verified must not answer those who would have verified it.
        let trust = exchange.pool.trust
        let isTrusted = trust.goal != .anything && trust.verifiesHostName
        let partition = core.policy.partition.map { $0(exchange).map { "\($0)/" } } ?? ""
        if let partition, isTrusted, request.isCacheable, !request.hasUnsafeCondition,
            !request.hasForeignRange
        {
            let key = CacheKey(url: exchange.url, partition: partition)
            return CachingTransfer(exchange, request, key: key, in: core, reportingTo: sink)
        }
        if let refusal = request.refusal {
            return AnsweringTransfer(exchange, reportingTo: sink) { $0.report(refusal) }
        }
        let reason = request.isCacheable ? CacheStatus.Forwarding.bypass : .method
        return core.below.transfer(for: exchange, reportingTo: sink) { [core] report in
            guard let head = report.head else { return }
            var status = CacheStatus(cache: CacheCore.name)
            status.forwarding = reason
            report.head = head.adding(status)
            let host = CacheKey(url: exchange.url).host
            core.record.count(.init(status: status, isStored: false, host: host), exchange.url)
            let urls = Invalidation.urls(of: exchange, request, head)
            if !urls.isEmpty { core.invalidate(urls) }
        }
    }
}

extension Exchange.Head {
    /// Returns a copy with a member of `Cache-Status`.
    func adding(_ status: CacheStatus) -> Self {
        adding([Exchange.Field(name: "Cache-Status", value: status.description)])
    }
}
