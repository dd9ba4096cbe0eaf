@testable import BluebonnetTransport
import BluebonnetFixtureServer
import Foundation
import Testing

@Suite("Turns of the loop", .timeLimit(.minutes(5)))
struct TimeSliceTests {
    private let server: FixtureServer
    /// A loop whose turns have time only for the first step of each kind.
    private let transport = CurlTransport(sliceLength: 0)
    private let pool = Exchange.Pool(maximumConnectionsPerHost: 20)

    init() throws {
        server = try FixtureServer()
    }

    private func exchange(_ path: String) -> Exchange {
        Exchange(method: "GET", url: server.baseURL + path, pool: pool)
    }

    @Test(
        "without more time, libcurl reads one response per turn, even if all have arrived"
    )
    func sharedOut() async {
        let (replies, arrivals) = AsyncStream<DeferredReply>.makeStream()
        server.route("/held") { _ in .script([.defer { arrivals.yield($0) }]) }
        let sinks = (0..<10).map { _ in TurnRecorder(transport) }
        let transfers = sinks.map { transport.start(exchange("/held"), reportingTo: $0) }
        var held: [DeferredReply] = []
        for await reply in replies {
            held.append(reply)
            if held.count == sinks.count { break }
        }
        let loop = await BlockedLoop(of: transport, with: server)
        let reply = FixtureReply.raw("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")
        for place in held { place.complete(reply) }
        // A closed connection has sent everything. The one that blocks the loop stays.
        #expect(server.wait(upTo: 60_000) { $0.openConnections == 1 })
        loop.letGo()
        for sink in sinks { await sink.end() }
        #expect(Set(sinks.compactMap(\.turn)).count == sinks.count)
        withExtendedLifetime(transfers) {}
    }

    @Test("of sockets that are always ready, each gets a turn before any gets a second")
    func rounds() {
        let (first, second, shared) = (Int32(3), Int32(4), Int32(5))
        let table = SocketTable(epoll: -1, endedSocket: -1)
        for socket in [first, second, shared] {
            table.opened(socket, for: 1, pool: 1, idleTime: IdleTime(), at: .now)
        }
        table.multiplexes(shared)
        table.serve(first)
        table.serve(shared)
        table.endTurn(isAnyLeft: true)
        #expect(table.isRoundUnfinished)
        #expect(!table.isDue(first) && table.isDue(second))
        // Others can join its connection, so its end must not be missed.
        #expect(table.mayWait(second) && !table.mayWait(shared))
        table.serve(second)
        table.endTurn(isAnyLeft: false)
        #expect(!table.isRoundUnfinished)
        #expect([first, second, shared].allSatisfy { table.isDue($0) })
    }

    @Test("a slice has time for its first step, and then until its length is reached")
    func slice() {
        var (none, endless) = (TimeSlice(length: 0), TimeSlice(length: .infinity))
        let (short, long) = (0..<3).reduce(into: ([Bool](), [Bool]())) { answers, _ in
            answers.0.append(none.hasTime())
            answers.1.append(endless.hasTime())
        }
        #expect(short == [true, false, false])
        #expect(long == [true, true, true])
    }
}

/// Records the turn of the loop in which an exchange ends.
private final class TurnRecorder: ExchangeSink {
    private let transport: CurlTransport
    private let recorder = ExchangeRecorder()
    private let lastTurn = Locked<Int?>(nil)

    init(_ transport: CurlTransport) {
        self.transport = transport
    }

    var turn: Int? { lastTurn.withLock { $0 } }

    func receive(_ report: Exchange.Report) {
        if report.end != nil { lastTurn.withLock { $0 = transport.turnCount } }
        recorder.receive(report)
    }

    func end() async { #expect(await recorder.atEnd.failure == nil) }
}
