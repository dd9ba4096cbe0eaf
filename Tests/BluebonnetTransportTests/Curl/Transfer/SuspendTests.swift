import BluebonnetFixtureServer
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@Suite("Suspending and resuming", .timeLimit(.minutes(5)))
struct SuspendTests {
    let fixture: TransportFixture

    init() throws {
        fixture = try TransportFixture(pool: Exchange.Pool(maximumConnectionsPerHost: 2))
    }

    /// The turns of the loop during one slow exchange.
    ///
    /// They are many thousands if something keeps the loop busy, and a hundred on libcurl 8.14,
    /// which requires calls.
    private func turnsPerSecond() async -> Double {
        let (turns, start) = (fixture.transport.turnCount, ContinuousClock.now)
        _ = await fixture.transport.perform(fixture.exchange("/delay/200"))
        return Double(fixture.transport.turnCount - turns)
            / ((ContinuousClock.now - start) / .seconds(1))
    }

    @Test("the data of a suspended exchange stops, and continues after a resume")
    func endless() async {
        let recorder = ExchangeRecorder(keepsBody: false)
        let transfer = fixture.transport.start(fixture.exchange("/endless"), reportingTo: recorder)
        for round in 1...3 {
            let goal = recorder.byteCount + 1_000_000
            _ = await recorder.when { $0.byteCount > goal }
            transfer.suspend()
            _ = await fixture.transport.perform(fixture.exchange("/text"))
            let count = recorder.byteCount
            _ = await fixture.transport.perform(fixture.exchange("/delay/50"))
            #expect(recorder.byteCount == count, "round \(round)")
            transfer.resume()
        }
        transfer.cancel()
        #expect(await recorder.atEnd.failure?.code == .cancelled)
    }

    @Test("an exchange suspended in the queue lets others pass and joins again")
    func queued() async {
        let blocking = (0..<2).map { _ in fixture.transport.begin(fixture.exchange("/delay/50")) }
        let (recorder, transfer) = fixture.transport.begin(fixture.exchange("/text"))
        transfer.suspend()
        for other in blocking { _ = await other.recorder.atEnd }
        _ = await fixture.transport.perform(fixture.exchange("/text"))
        #expect(recorder.now.head == nil)
        transfer.resume()
        #expect(await recorder.atEnd.failure == nil)
    }

    @Test("an exchange suspended and resumed before there is a connection succeeds")
    func atOnce() async {
        for path in ["/text", "/bytes/300000", "/echo-body"] {
            for _ in 0..<20 {
                let body = path == "/echo-body" ? DeterministicBytes.prefix(100_000) : nil
                let exchange = fixture.exchange(
                    path, method: body == nil ? "GET" : "POST", body: body
                )
                .with { $0.pool = Exchange.Pool() }
                let (recorder, transfer) = fixture.transport.begin(exchange)
                transfer.suspend()
                transfer.resume()
                transfer.suspend()
                transfer.resume()
                let record = await recorder.atEnd
                #expect(record.failure == nil)
            }
        }
    }

    @Test("a kept connection with a suspended exchange does not count as idle")
    func kept() async {
        for _ in 0..<30 {
            _ = await fixture.transport.perform(fixture.exchange("/text"))
            let requests = fixture.server.requestCount
            let (recorder, transfer) = fixture.transport.begin(fixture.exchange("/bytes/50000"))
            transfer.suspend()
            // If the request was sent nevertheless, its response stays unread.
            _ = fixture.server.wait(upTo: 5) { $0.requests > requests }
            _ = await fixture.transport.perform(fixture.exchange("/delay/5"))
            transfer.resume()
            #expect(await recorder.atEnd.failure == nil)
        }
    }

    /// Performs an exchange that is suspended before a part of its response.
    ///
    /// When that part has arrived, the exchange is resumed and suspended again within one turn of
    /// the loop.
    private func performSuspended(
        _ beginning: String, _ rest: String, warmUps: Int = 0, limits: Exchange.Limits? = nil
    ) async throws -> ExchangeRecorder.Record {
        let warm = Array(repeating: [FaultAction.request, .answer], count: warmUps).flatMap(\.self)
        let server = try FaultServer(
            FaultScript(warm + [.request, .send(beginning), .await(signals: 1), .send(rest)]))
        var exchange = fixture.exchange("/").with { $0.url = "http://127.0.0.1:\(server.port)/" }
        if let limits { exchange.limits = limits }
        for _ in 0..<warmUps { _ = await fixture.transport.perform(exchange) }
        let (recorder, transfer) = fixture.transport.begin(exchange)
        #expect(server.wait(upTo: 10_000) { $0.requests > warmUps })
        if !beginning.isEmpty { _ = await recorder.when { $0.head != nil } }
        transfer.suspend()
        _ = await fixture.transport.perform(fixture.exchange("/text"))
        server.signal()
        for _ in 0..<20 {
            // The loop is blocked meanwhile, and then handles both at once.
            let gate = DispatchSemaphore(value: 0)
            let blocking = ExchangeRecorder(gate: gate)
            _ = fixture.transport.start(fixture.exchange("/text"), reportingTo: blocking)
            _ = await blocking.when { $0.byteCount > 0 }
            transfer.resume()
            transfer.suspend()
            gate.signal()
            _ = await blocking.atEnd
        }
        transfer.resume()
        return await recorder.atEnd
    }

    @Test(
        "a head that arrives at a simultaneous resume and suspend is taken line by line"
    )
    func head() async throws {
        let record = try await performSuspended(
            "", "HTTP/1.1 200 OK\r\nA: 1\r\nB: 2\r\nContent-Length: 4\r\n\r\ngood")
        #expect(record.failure == nil)
        #expect(record.head?["B"] == "2")
        #expect(record.body == Data("good".utf8))
    }

    @Test(
        "a folded first field that arrives at such a moment makes the response malformed"
    )
    func foldedFirstField() async throws {
        let record = try await performSuspended(
            "", "HTTP/1.1 200 OK\r\n A: 1\r\nContent-Length: 4\r\n\r\ngood", warmUps: 1)
        #expect(record.failure?.code == .badServerResponse)
    }

    @Test("trailers that arrive at such a moment are taken, up to the limit of fields")
    func trailers() async throws {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        var limits = Exchange.Limits()
        limits.trailerFieldCount = 3
        for count in 3...4 {
            let trailers = String(repeating: "A: b\r\n", count: count)
            let record = try await performSuspended(
                head, "4\r\ngood\r\n0\r\n\(trailers)\r\n", limits: limits)
            #expect((record.failure == nil) == (count == 3), "\(count)")
            #expect(record.trailers?.count == (count == 3 ? 3 : nil))
        }
    }

    @Test("a storm of suspends and resumes loses no byte")
    func storm() async {
        let (recorder, transfer) = fixture.transport.begin(fixture.exchange("/chunked/20000000"))
        for _ in 0..<2000 {
            transfer.suspend()
            transfer.resume()
            await Task.yield()
        }
        let record = await recorder.atEnd
        #expect(record.failure == nil)
        #expect(record.body.count == 20_000_000)
        #expect(DeterministicBytes.matches(Array(record.body)))
    }

    @Test("a suspended exchange whose server resets the connection does not keep the loop busy")
    func reset() async throws {
        let recorder = ExchangeRecorder(keepsBody: false)
        let transfer = fixture.transport.start(fixture.exchange("/endless"), reportingTo: recorder)
        _ = await recorder.when { $0.byteCount > 0 }
        transfer.suspend()
        _ = await fixture.transport.perform(fixture.exchange("/text"))
        fixture.server.resetAllConnections()
        #expect(await turnsPerSecond() < 500)
        transfer.resume()
        #expect(await recorder.atEnd.failure?.code == .networkConnectionLost)
    }

    @Test("suspended exchanges with unread data do not keep the loop busy")
    func rest() async throws {
        var transfers: [any Transfer] = []
        for _ in 0..<8 {
            let recorder = ExchangeRecorder(keepsBody: false)
            let exchange = fixture.exchange("/endless").with { $0.pool = Exchange.Pool() }
            let transfer = fixture.transport.start(exchange, reportingTo: recorder)
            _ = await recorder.when { $0.byteCount > 0 }
            transfer.suspend()
            transfers.append(transfer)
        }
        _ = await fixture.transport.perform(fixture.exchange("/text"))
        #expect(await turnsPerSecond() < 1_000)
        for transfer in transfers { transfer.cancel() }
    }
}
