@testable import BluebonnetTransport
import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation
import Glibc
import Testing

@Suite("Counting connections", .timeLimit(.minutes(2)))
struct ConnectionCountTests {
    private let transport = CurlTransport()

    /// The counts for a server, or zeros if the server is left out.
    private func counts(_ server: FixtureServer) async -> [Int] {
        await counts(UInt16(server.port))
    }

    private func counts(_ port: UInt16) async -> [Int] {
        let found = await transport.connections().filter { $0.port == Int(port) }
        #expect(found.count <= 1)
        return found.first.map { [$0.active, $0.idle, $0.waiting] } ?? [0, 0, 0]
    }

    /// Routes `/held` to replies that wait for the test.
    private static func hold(_ server: FixtureServer) -> AsyncStream<DeferredReply> {
        let (replies, arrivals) = AsyncStream<DeferredReply>.makeStream()
        server.route("/held") { _ in .script([.defer { arrivals.yield($0) }]) }
        return replies
    }

    @Test("a connection is active while an exchange uses it, then idle, and gone with its pool")
    func states() async throws {
        let server = try FixtureServer()
        var replies = Self.hold(server).makeAsyncIterator()
        let pool = Exchange.Pool(idleConnectionTimeout: nil)
        let exchange = Exchange(method: "GET", url: server.baseURL + "/held", pool: pool)
        let pairs = (0..<3).map { _ in transport.begin(exchange) }
        var held: [DeferredReply] = []
        for _ in pairs { held.append(try #require(await replies.next())) }
        #expect(await counts(server) == [3, 0, 0])
        #expect(server.counters.openConnections == 3)
        for reply in held { reply.complete(.text("x")) }
        for pair in pairs { #expect(await pair.recorder.atEnd.failure == nil) }
        #expect(await counts(server) == [0, 3, 0])
        #expect(server.counters.openConnections == 3)
        let next = transport.begin(exchange)
        let reply = try #require(await replies.next())
        #expect(await counts(server) == [1, 2, 0])
        reply.complete(.text("x"))
        _ = await next.recorder.atEnd
        #expect(await counts(server) == [0, 3, 0])
        await pool.close()
        #expect(await transport.connections().isEmpty)
    }

    @Test("exchanges wait while the connections of their host are used up")
    func waiting() async throws {
        let server = try FixtureServer()
        var replies = Self.hold(server).makeAsyncIterator()
        let pool = Exchange.Pool(maximumConnectionsPerHost: 2)
        let exchange = Exchange(method: "GET", url: server.baseURL + "/held", pool: pool)
        let pairs = (0..<5).map { _ in transport.begin(exchange) }
        var held = [try #require(await replies.next()), try #require(await replies.next())]
        for waitingCount in [3, 2, 1, 0] {
            #expect(await counts(server) == [2, 0, waitingCount])
            held.removeFirst().complete(.text("x"))
            if waitingCount > 0 { held.append(try #require(await replies.next())) }
        }
        held.removeFirst().complete(.text("x"))
        for pair in pairs { #expect(await pair.recorder.atEnd.failure == nil) }
        #expect(await counts(server) == [0, 2, 0])
    }

    @Test("the pools of a transport are added up, and hosts are kept apart")
    func pools() async throws {
        let servers = [try FixtureServer(), try FixtureServer()]
        let pools = (0..<2).map { _ in Exchange.Pool(idleConnectionTimeout: nil) }
        for (server, pool) in [(0, 0), (0, 1), (1, 1)] {
            let exchange = Exchange(
                method: "GET", url: servers[server].baseURL + "/text", pool: pools[pool])
            #expect(await transport.perform(exchange).failure == nil)
        }
        #expect(await counts(servers[0]) == [0, 2, 0])
        #expect(await counts(servers[1]) == [0, 1, 0])
        let hosts = await transport.connections()
        #expect(hosts.allSatisfy { $0.scheme == "http" && $0.host == "127.0.0.1" })
        #expect(hosts.map(\.open).sorted() == [1, 2])
        withExtendedLifetime(pools) {}
    }

    @Test("the connection of a paused exchange is active, although libcurl does not watch it")
    func paused() async throws {
        let server = try FixtureServer()
        let pool = Exchange.Pool()
        server.route("/large") { _ in .text(String(repeating: "x", count: 8_000_000)) }
        let exchange = Exchange(method: "GET", url: server.baseURL + "/large", pool: pool).with {
            $0.receiveWindow = 100_000
        }
        let (recorder, transfer) = transport.begin(exchange)
        _ = await recorder.when { $0.byteCount >= 100_000 }
        #expect(await counts(server) == [1, 0, 0])
        transfer.cancel()
        _ = await recorder.atEnd
        #expect(await counts(server) == [0, 0, 0])
    }

    @Test(
        "exchanges that share a connection count one, which is active until the last has ended",
        .enabled(if: LibcurlQuirks.current.speaksHTTP2))
    func shared() async throws {
        let server = try await MultiplexingServer()
        let pool = Exchange.Pool(httpVersion: .http2PriorKnowledge)
        let base = "http://127.0.0.1:\(server.plainPort)"
        let text = Exchange(method: "GET", url: base + "/text", pool: pool)
        #expect(await transport.perform(text).failure == nil)
        #expect(await counts(server.plainPort) == [0, 1, 0])
        let slow = Exchange(method: "GET", url: base + "/slow", pool: pool).with {
            $0.receiveWindow = 1000
        }
        let pairs = (0..<2).map { _ in transport.begin(slow) }
        for pair in pairs { _ = await pair.recorder.when { $0.byteCount > 0 } }
        #expect(await counts(server.plainPort) == [1, 0, 0])
        for pair in pairs {
            #expect(await counts(server.plainPort) == [1, 0, 0])
            pair.transfer.cancel()
            _ = await pair.recorder.atEnd
        }
        #expect(await counts(server.plainPort) == [0, 1, 0])
    }

    @Test("a transport counts nothing if it was never used, or has ended")
    func withoutConnections() async throws {
        #expect(await transport.connections().isEmpty)
        let fixture = try TransportFixture()
        #expect(await fixture.transport.perform(fixture.exchange("/text")).failure == nil)
        #expect(await fixture.transport.connections().count == 1)
        fixture.transport.shutDown()
        #expect(await fixture.transport.connections().isEmpty)
        let unsuitable = CurlTransport(version: .failure(.shutDown))
        #expect(await unsuitable.connections().isEmpty)
    }

    @Test("a question that the loop has not read is answered when the loop ends")
    func unreadQuestion() throws {
        // Without a thread, it reads nothing.
        let loop = try EventLoop()
        let answers = Locked<[Bool]>([])
        #expect(loop.mailbox.post(.inspect { loop in answers.withLock { $0.append(loop == nil) } }))
        loop.shutDown(with: .shutDown)
        #expect(answers.withLock { $0 } == [true])
    }

    @Test("a connection that the server has closed is not open, even if libcurl still has it")
    func closedByServer() {
        let files = (["/dev/null", "/dev/zero"] as [String]).map { open($0, O_RDONLY | O_CLOEXEC) }
        let table = SocketTable(epoll: -1, endedSocket: files[1])
        table.opened(
            files[0], for: 1, pool: 1, host: "http://a", idleTime: IdleTime(), at: .now)
        #expect(table.isConnected(files[0]))
        table.end(files[0], at: .now)
        #expect(!table.isConnected(files[0]) && table.openCount == 1)
        table.closing(files[0])
        #expect(table.hosts.isEmpty)
        for file in files { close(file) }
    }

    @Test("spellings of a host are added up, and show neither user nor password")
    func spellings() {
        let keys = [
            "http://a.test", "http://user:secret@a.test", "https://a.test", "http://a.test:81",
            "http://[::1]:81", "http://0x7f.1", "http://127.0.0.1", "http://a b", "http://",
        ]
        let sums = ConnectionCounts.sums(of: keys.map { ($0, 1, 2, 3) })
        let texts = sums.map { counts in
            #expect(counts.idle == 2 * counts.active && counts.waiting == 3 * counts.active)
            return "\(counts.scheme) \(counts.host) \(counts.port) \(counts.open / 3)"
        }
        #expect(
            texts.sorted() == [
                "http 127.0.0.1 80 2", "http ::1 81 1", "http a.test 80 2", "http a.test 81 1",
                "https a.test 443 1",
            ])
    }
}
