import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation
import Testing

@testable import BluebonnetTransport

@Suite("Slow and healthy hosts in one pool", .timeLimit(.minutes(2)))
struct FairSharingTests {
    private let server: FixtureServer
    private let transport = CurlTransport()
    private let pool: Exchange.Pool

    /// Creates a pool of 64 connections, in which six slow and two healthy hosts lead to one
    /// server.
    init() throws {
        let server = try FixtureServer()
        self.server = server
        var route = Exchange.Route()
        let names = (0..<6).map { "slow\($0).invalid" } + ["one.invalid", "two.invalid"]
        route.addressOverrides = names.map {
            .init(host: $0, port: Int(server.port), addresses: ["127.0.0.1"])
        }
        pool = Exchange.Pool(
            maximumConnectionsPerHost: 16, maximumConnections: 64, route: route)
    }

    private func exchange(_ host: String, _ path: String) -> Exchange {
        Exchange(method: "GET", url: "http://\(host).invalid:\(server.port)\(path)", pool: pool)
    }

    @Test("healthy hosts are served at once, however many exchanges slow ones have")
    func healthy() async {
        let slow = (0..<120).map { number in
            transport.begin(exchange("slow\(number % 6)", "/delay/600000"))
        }
        #expect(await SystemSockets.settles { server.requestCount == 60 })
        for _ in 0..<20 {
            async let one = transport.perform(exchange("one", "/text")).failure
            async let two = transport.perform(exchange("two", "/text")).failure
            let failures = await [one, two]
            #expect(failures == [nil, nil])
        }
        #expect(slow.allSatisfy { $0.recorder.now.ends.isEmpty })
        for pair in slow { pair.transfer.cancel() }
    }

    /// Begins an exchange with each of many slow hosts, and returns how long exchanges with a
    /// healthy host took next to them, in seconds.
    private func times(besideSlowHosts count: Int) async throws -> [TimeInterval] {
        let (pool, slow) = await beginSlow(count)
        var times: [TimeInterval] = []
        for _ in 0..<25 {
            let healthy = exchange("healthy", "/text").with { $0.pool = pool }
            let recorders = (0..<8).map { _ in transport.begin(healthy).recorder }
            for recorder in recorders {
                let record = await recorder.atEnd
                #expect(record.failure == nil)
                times.append(try #require(record.ends.first).metrics.totalDuration)
            }
        }
        #expect(slow.allSatisfy { $0.recorder.now.ends.isEmpty })
        for pair in slow { pair.transfer.cancel() }
        return times
    }

    /// Begins an exchange with each of many slow hosts, and returns them with their pool.
    private func beginSlow(
        _ count: Int
    ) async -> (Exchange.Pool, [(recorder: ExchangeRecorder, transfer: any Transfer)]) {
        let names = (0..<count).map { "slow\($0).invalid" } + ["healthy.invalid"]
        var route = Exchange.Route()
        route.addressOverrides = names.map {
            .init(host: $0, port: Int(server.port), addresses: ["127.0.0.1"])
        }
        let pool = Exchange.Pool(route: route)
        let slow = (0..<count).map { number in
            transport.begin(
                exchange("slow\(number)", "/delay/600000").with { $0.pool = pool })
        }
        let unreserved = min(count, 512 - 16)
        #expect(await SystemSockets.settles { server.requestCount >= unreserved })
        return (pool, slow)
    }

    @Test("the loop sleeps while hosts wait that are not tried any more")
    func sleeping() async {
        #expect(OpenFileLimit.raise(to: 4096))
        let (_, slow) = await beginSlow(700)
        // The last trial is within the first half second.
        let other = exchange("one", "/delay/1000")
        #expect(await transport.perform(other).failure == nil)
        let turns = transport.turnCount
        #expect(await transport.perform(other).failure == nil)
        #expect(transport.turnCount - turns < 100)
        for pair in slow { pair.transfer.cancel() }
    }

    @Test("a new host is served soon, however many hosts are slow", arguments: [10, 700])
    func manyHosts(count: Int) async throws {
        #expect(OpenFileLimit.raise(to: 4096))
        let times = try await times(besideSlowHosts: count)
        let percentile = times.sorted()[times.count * 99 / 100 - 1]
        #expect(percentile < 0.5, "\(times.sorted().suffix(9))")
    }

    @Test("a free connection goes to the host with the fewest connections, then by priority")
    func shares() async {
        let small = Exchange.Pool(maximumConnections: 5, route: pool.route)
        func begin(
            _ host: String, _ path: String, priority: Float = 0.5
        ) -> (recorder: ExchangeRecorder, transfer: any Transfer) {
            transport.begin(
                exchange(host, path).with {
                    $0.pool = small
                    $0.priority = priority
                })
        }
        let held = ["slow0", "slow0", "slow0", "slow0", "slow1"].map { begin($0, "/delay/600000") }
        #expect(await SystemSockets.settles { server.requestCount == 5 })
        let order = Locked<[String]>([])
        server.route("/next") { request in
            order.withLock { $0.append(request.headers["Host"] ?? "") }
            return .script([.hold])
        }
        let urgent = begin("slow0", "/next", priority: 1)
        let second = begin("slow1", "/next")
        let third = begin("one", "/next", priority: 0)
        for (number, pair) in held.prefix(3).enumerated() {
            pair.transfer.cancel()
            #expect(await SystemSockets.settles { order.withLock { $0.count } == number + 1 })
        }
        #expect(
            order.withLock { $0.map { String($0.prefix(while: { $0 != "." })) } }
                == ["one", "slow1", "slow0"])
        for pair in [urgent, second, third] + held.suffix(2) { pair.transfer.cancel() }
    }
}
