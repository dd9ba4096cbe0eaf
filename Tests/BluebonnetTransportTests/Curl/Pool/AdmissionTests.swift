import BluebonnetFixtureServer
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@Suite("The order of admission", .timeLimit(.minutes(5)))
struct AdmissionTests {
    let fixture: TransportFixture

    init() throws {
        fixture = try TransportFixture(
            pool: Exchange.Pool(maximumConnectionsPerHost: 1, maximumConnections: 1))
        fixture.server.recordsRequests = true
    }

    private func numbers(_ server: FixtureServer) -> [String] {
        server.recordedRequests.compactMap(\.query)
    }

    @Test("waiting exchanges are ordered by priority, then by arrival")
    func priority() async {
        let first = fixture.transport.begin(fixture.exchange("/hang"))
        let priorities: [Float] = [0.5, 0, 1, 0.5, 1, 0.25]
        let waiting = priorities.enumerated().map { index, priority in
            fixture.transport.begin(
                fixture.exchange("/text?\(index)").with { $0.priority = priority })
        }
        first.transfer.cancel()
        for pair in waiting { #expect(await pair.recorder.atEnd.failure == nil) }
        #expect(numbers(fixture.server) == ["2", "4", "0", "3", "5", "1"])
    }

    @Test("a changed priority applies while the exchange waits")
    func change() async {
        let first = fixture.transport.begin(fixture.exchange("/hang"))
        let waiting = (0..<4).map { fixture.transport.begin(fixture.exchange("/text?\($0)")) }
        waiting[2].transfer.setPriority(1)
        waiting[0].transfer.setPriority(0)
        first.transfer.setPriority(1)
        first.transfer.cancel()
        for pair in waiting { #expect(await pair.recorder.atEnd.failure == nil) }
        waiting[0].transfer.setPriority(0.1)
        #expect(numbers(fixture.server) == ["2", "1", "3", "0"])
    }

    @Test("a host with an urgent exchange is served before hosts that came earlier")
    func hosts() async throws {
        let servers = try (0..<3).map { _ in try FixtureServer() }
        let order = Locked<[Int]>([])
        for (index, server) in servers.enumerated() {
            server.route("/note") { _ in
                order.withLock { $0.append(index) }
                return .text("x")
            }
        }
        func note(_ index: Int, _ priority: Float) -> ExchangeRecorder {
            let url = servers[index].baseURL + "/note"
            return fixture.transport.begin(
                Exchange(method: "GET", url: url, pool: fixture.pool)
                    .with { $0.priority = priority }
            ).recorder
        }
        let first = fixture.transport.begin(fixture.exchange("/hang"))
        let recorders = [note(0, 0.5), note(0, 0.5), note(1, 0.5), note(2, 1), note(1, 0.75)]
        first.transfer.cancel()
        for recorder in recorders { #expect(await recorder.atEnd.failure == nil) }
        // A served host is behind the others of its priority.
        #expect(order.withLock { $0 } == [2, 1, 0, 1, 0])
    }

    @Test("more new hosts than the limit of look-ups are all served")
    func lookUps() async throws {
        let pool = Exchange.Pool()
        let recorders = (1...200).map { index in
            let url = "http://127.0.0.\(index):\(fixture.server.port)/text"
            return fixture.transport.begin(Exchange(method: "GET", url: url, pool: pool)).recorder
        }
        for recorder in recorders {
            // The server listens only on 127.0.0.1.
            let failure = await recorder.atEnd.failure
            #expect(failure == nil || failure?.code == .cannotConnectToHost)
        }
        let again = fixture.exchange("/text").with { $0.pool = pool }
        #expect(await fixture.transport.perform(again).failure == nil)
    }
}
