import BluebonnetTestSupport
import Foundation
import FoundationNetworking
import Testing

@testable import BluebonnetTransport

@Suite("The order of admission in any order of events", .timeLimit(.minutes(10)))
struct ConnectionQueueModelTests {
    private final class Ear: ExchangeSink {
        func receive(_ report: Exchange.Report) {}
    }

    @Test(
        """
        after 200,000 events in any order, limits are kept, the order is by priority and arrival, \
        and no servable exchange waits
        """)
    func walks() throws {
        let loop = try EventLoop()
        let exchange = Exchange(method: "GET", url: "http://a/", pool: Exchange.Pool())
        // Their loop never runs, because only the queue is tested.
        let transfers = (0..<14).map { _ in
            CurlTransfer(exchange: exchange, sink: Ear(), loop: loop)
        }
        try RandomWalks.take(steps: 200_000) { (seed, logs) throws(RandomWalks.Failure) in
            try ConnectionQueueModel.run(seed: seed, logs: logs, transfers: transfers)
        }
    }

    @Test("next to others of its host an exchange gets a slot at once, up to the host's limit")
    func slotsAtOnce() throws {
        let loop = try EventLoop()
        let exchange = Exchange(method: "GET", url: "http://a/", pool: Exchange.Pool())
        let transfers = (0..<4).map { _ in
            CurlTransfer(exchange: exchange, sink: Ear(), loop: loop)
        }
        let line = ConnectionQueue(
            limits: .init(connectionsPerHost: 2, connections: 8, streamsPerConnection: 1))
        let host = try line.host(of: exchange.url)
        line.join(transfers[0], at: host)
        #expect(line.next() === transfers[0])
        #expect(line.admitAtOnce(transfers[1], at: host))
        #expect(!line.admitAtOnce(transfers[2], at: host), "the host has as many as it may")
        line.leave(transfers[0])
        #expect(!line.mayHaveNext, "nobody waits, and the host stays")
        #expect(line.admitAtOnce(transfers[2], at: host))
        line.join(transfers[3], at: host)
        line.leave(transfers[1])
        #expect(line.next() === transfers[3])
    }

    @Test("a host with a connection is also served while new hosts keep arriving")
    func noStarvation() throws {
        let loop = try EventLoop()
        let exchange = Exchange(method: "GET", url: "http://a/", pool: Exchange.Pool())
        let transfers = (0..<40).map { _ in
            CurlTransfer(exchange: exchange, sink: Ear(), loop: loop)
        }
        let line = ConnectionQueue(
            limits: .init(connectionsPerHost: 2, connections: 2, streamsPerConnection: 1))
        // The queue and its waiting transfers retain each other.
        defer { for transfer in transfers { line.forget(transfer) } }
        for transfer in transfers.prefix(2) { line.join(transfer, key: "http://a") }
        line.join(transfers[2], key: "http://other")
        _ = try #require(line.next())
        var active = try #require(line.next())
        for (count, transfer) in transfers.dropFirst(3).enumerated() {
            line.join(transfer, key: "http://b\(count)")
            line.leave(active)
            active = try #require(line.next())
            if active === transfers[1] { return }
            #expect(active.host?.share == 1)
        }
        Issue.record("it was never served")
    }

    @Test("every connection of a pool can be used, and the last are reserved")
    func reserve() {
        for total in 1...600 {
            let limits = ConnectionLimits(
                of: Exchange.Pool(maximumConnectionsPerHost: total, maximumConnections: total))
            let reserve = min(total / 16, 16)
            #expect(limits.rest(besides: total) == .none)
            #expect(limits.rest(besides: total - reserve - 1) == .free)
            guard reserve > 0 else { continue }
            #expect(limits.rest(besides: total - 1) == .reserve)
            #expect(limits.rest(besides: total - reserve) == .reserve)
            #expect(limits.trials > 0 && limits.trials <= reserve && limits.smallShare > 0)
        }
    }
}
