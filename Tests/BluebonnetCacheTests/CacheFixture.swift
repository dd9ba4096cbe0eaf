import Bluebonnet
import BluebonnetCache
import BluebonnetTesting
import Foundation

/// A cache in front of an ``Origin``, on a manual clock.
struct CacheFixture {
    let origin: Origin
    let store: MemoryCacheStore
    let cache: CachingTransport
    let clock = ManualClock(startingAt: Date(timeIntervalSince1970: 1_700_000_000))
    let pool = Exchange.Pool()

    init(
        _ policy: CachePolicy = .shared, store: MemoryCacheStore = MemoryCacheStore(),
        behind front: (any CacheStore)? = nil,
        _ answer: @escaping @Sendable (Exchange, Int) -> Origin.Answer = { _, _ in .init() },
        observer: (@Sendable (CacheEvent) -> Void)? = nil
    ) {
        self.store = store
        origin = Origin(answer)
        cache = CachingTransport(
            around: origin, store: front ?? store, policy: policy, observer: observer)
    }

    func exchange(
        _ method: String = "GET", _ url: String = "http://a.test/",
        _ fields: [String: String] = [:],
        policy: URLRequest.CachePolicy = .useProtocolCachePolicy
    ) -> Exchange {
        var exchange = Exchange(
            method: method, url: url,
            fields: fields.map { Exchange.Field(name: $0.key, value: $0.value) }, pool: pool)
        exchange.clock = clock
        exchange.cachePolicy = policy
        return exchange
    }

    /// Sends a request and waits for the end of the response.
    func send(
        _ method: String = "GET", _ url: String = "http://a.test/",
        _ fields: [String: String] = [:],
        policy: URLRequest.CachePolicy = .useProtocolCachePolicy
    ) async -> Caller.Received {
        await send(exchange(method, url, fields, policy: policy))
    }

    func send(_ exchange: Exchange) async -> Caller.Received {
        let caller = Caller()
        let transfer = cache.start(exchange, reportingTo: caller)
        defer { withExtendedLifetime(transfer) {} }
        return await caller.result()
    }

    /// The current date as HTTP writes it, some seconds away.
    func date(_ offset: TimeInterval = 0) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: clock.date.addingTimeInterval(offset))
    }
}
