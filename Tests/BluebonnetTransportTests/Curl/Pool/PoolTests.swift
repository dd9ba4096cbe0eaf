import BluebonnetFixtureServer
import BluebonnetTransport
import Foundation
import Testing

@Suite("Connection pools", .timeLimit(.minutes(5)))
struct PoolTests {
    @Test("no host and no pool ever exceeds its limit of connections, and all exchanges end")
    func limits() async throws {
        let pool = Exchange.Pool(maximumConnectionsPerHost: 3, maximumConnections: 5)
        let first = try TransportFixture(pool: pool)
        let servers = try [first.server] + (0..<3).map { _ in try FixtureServer() }
        func begin(_ path: String, _ index: Int) -> (ExchangeRecorder, any Transfer) {
            let url = servers[index / 10 % 4].baseURL + path
            return first.transport.begin(Exchange(method: "GET", url: url, pool: pool))
        }
        let hanging = (0..<40).map { begin("/hang", $0) }
        #expect(await SystemSockets.settles { servers.reduce(0) { $0 + $1.requestCount } >= 5 })
        // When these have ended, anything else would have been sent, too.
        let other = try TransportFixture()
        for _ in 0..<2 {
            _ = await first.transport.perform(other.exchange("/text"))
        }
        #expect(servers.map(\.requestCount).max() == 3)
        #expect(servers.reduce(0) { $0 + $1.acceptedConnectionCount } == 5)
        for (_, transfer) in hanging { transfer.cancel() }
        for (recorder, _) in (0..<200).map({ begin("/text", $0) }) {
            #expect(await recorder.atEnd.failure == nil)
        }
        // The servers notice the end of a connection a little later.
        #expect(
            await SystemSockets.settles { servers.reduce(0) { $0 + $1.openConnectionCount } <= 5 })
        for server in servers { server.stop() }
    }

    @Test("a host with and without its default port is one host for the limit")
    func keys() {
        // Only the keys are compared, because nothing listens on port 80.
        #expect(HostKey.of("http://A/b") == HostKey.of("HTTP://a:80?c"))
        #expect(HostKey.of("https://a") == HostKey.of("https://a:443/"))
        #expect(HostKey.of("http://a:8080") != HostKey.of("http://a"))
        #expect(HostKey.of("http://a:443/") != HostKey.of("https://a/"))
        #expect(HostKey.of("http://[::80]/") == "http://[::80]")
    }

    @Test("waiting exchanges are started in order")
    func order() async throws {
        let fixture = try TransportFixture(pool: Exchange.Pool(maximumConnectionsPerHost: 1))
        fixture.server.recordsRequests = true
        let recorders = (0..<50).map {
            fixture.transport.begin(fixture.exchange("/text?\($0)")).recorder
        }
        for recorder in recorders { _ = await recorder.atEnd }
        let order = fixture.server.recordedRequests.compactMap { $0.query.flatMap { Int($0) } }
        #expect(order == Array(0..<50))
    }

    @Test("after a host whose exchanges were all canceled, the next host gets the free slot")
    func cancelledInLine() async throws {
        let pool = Exchange.Pool(maximumConnectionsPerHost: 1, maximumConnections: 1)
        let fixture = try TransportFixture(pool: pool)
        let (second, third) = (try FixtureServer(), try FixtureServer())
        let active = fixture.transport.begin(fixture.exchange("/hang"))
        let cancelled = fixture.transport.begin(
            Exchange(method: "GET", url: second.baseURL + "/text", pool: pool))
        let waiting = fixture.transport.begin(
            Exchange(method: "GET", url: third.baseURL + "/text", pool: pool))
        cancelled.transfer.cancel()
        _ = await cancelled.recorder.atEnd
        active.transfer.cancel()
        #expect(await waiting.recorder.atEnd.failure == nil)
    }

    @Test("an exchange parked while its queue was replaced stays within the host's limit")
    func parkedQueue() async throws {
        let fixture = try TransportFixture(pool: Exchange.Pool(maximumConnectionsPerHost: 1))
        let first = fixture.transport.begin(fixture.exchange("/hang"))
        let parked = fixture.transport.begin(fixture.exchange("/text"))
        parked.transfer.suspend()
        first.transfer.cancel()
        _ = await first.recorder.atEnd
        // The queue is empty and removed. This exchange creates another, and fills it.
        let second = fixture.transport.begin(fixture.exchange("/hang"))
        #expect(fixture.server.wait(upTo: 5000) { $0.requests == 2 || $0.openConnections == 1 })
        parked.transfer.resume()
        _ = await fixture.transport.perform(
            Exchange(method: "GET", url: fixture.server.baseURL + "/text", pool: Exchange.Pool()))
        #expect(parked.recorder.now.ends.isEmpty)
        second.transfer.cancel()
        #expect(await parked.recorder.atEnd.failure == nil)
    }

    @Test("two pools share no connection, and releasing a pool closes its own")
    func pools() async throws {
        let fixture = try TransportFixture()
        _ = await fixture.transport.perform(fixture.exchange("/text"))
        for _ in 0..<2 {
            var other: Exchange.Pool? = Exchange.Pool()
            if let pool = other {
                let url = fixture.server.baseURL + "/text"
                _ = await fixture.transport.perform(Exchange(method: "GET", url: url, pool: pool))
            }
            other = nil
            #expect(fixture.server.wait(upTo: 5000) { $0.openConnections == 1 })
        }
        #expect(fixture.server.acceptedConnectionCount == 3)
    }

    @Test("a thousand short-lived pools leave no descriptors")
    func manyPools() async throws {
        let fixture = try TransportFixture()
        _ = await fixture.transport.perform(fixture.exchange("/text"))
        let before = SystemSockets.descriptorCount
        for _ in 0..<1000 {
            let url = fixture.server.baseURL + "/text"
            let exchange = Exchange(method: "GET", url: url, pool: Exchange.Pool())
            #expect(await fixture.transport.perform(exchange).failure == nil)
        }
        #expect(fixture.server.wait(upTo: 5000) { $0.openConnections <= 1 })
        // The margin is for other tests in this process. A leak would be 2,000 or more.
        #expect(await SystemSockets.settles { SystemSockets.descriptorCount < before + 500 })
    }

    @Test("connections are not inherited by programs that the process starts")
    func closeOnExec() async throws {
        let fixture = try TransportFixture()
        let recorders = (0..<4).map { _ in fixture.transport.begin(fixture.exchange("/delay/20")) }
        for recorder in recorders { _ = await recorder.recorder.atEnd }
        let inodes = SystemSockets.clients(of: fixture.server.port, in: .established)
        #expect(inodes.count == 4, "\(inodes)")
        for inode in inodes { #expect(SystemSockets.isClosedOnExec(inode: inode) == true) }
    }
}
