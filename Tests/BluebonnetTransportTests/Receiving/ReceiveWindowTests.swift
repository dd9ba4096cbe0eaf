import BluebonnetFixtureServer
import BluebonnetTestSupport
import BluebonnetTransport
import Foundation
import Testing

@Suite("A window for the response's body", .timeLimit(.minutes(5)))
struct ReceiveWindowTests {
    static let window = 1_000_000
    /// One decoding step or one piece can exceed the window.
    static let bound = window + 256 * 1024 + 16 * 1024

    let fixture: TransportFixture

    init() throws {
        fixture = try TransportFixture()
    }

    /// Waits until the loop is idle.
    private func settle() async {
        for _ in 0..<3 { _ = await fixture.transport.perform(fixture.exchange("/delay/10")) }
    }

    private func exchange(_ path: String, keepsBody: Bool = false) -> Exchange {
        fixture.exchange(path).with {
            $0.receiveWindow = Self.window
            $0.keepsBody = keepsBody
        }
    }

    private func begin(_ path: String, keepsBody: Bool = false) -> (
        recorder: ExchangeRecorder, transfer: any Transfer
    ) {
        let recorder = ExchangeRecorder(keepsBody: false)
        return (
            recorder,
            fixture.transport.start(exchange(path, keepsBody: keepsBody), reportingTo: recorder)
        )
    }

    @Test(
        "unconsumed bytes stop the sender at the window, plain and decoded",
        arguments: ["/endless", "/bytes/50000000", "/chunked/50000000", "/gzip/50000000"],
        [true, false]
    )
    func stops(path: String, keepsBody: Bool) async {
        let (recorder, transfer) = begin(path, keepsBody: keepsBody)
        _ = await recorder.when { $0.byteCount >= Self.window }
        for round in 1...3 {
            await settle()
            let count = recorder.byteCount
            #expect(count >= Self.window * round)
            #expect(count <= Self.bound * round)
            transfer.didConsume(count - Self.window * (round - 1))
            let goal = Self.window * (round + 1)
            transfer.didConsume(Self.window * round - count)
            _ = await recorder.when { $0.byteCount >= goal }
        }
        transfer.cancel()
        #expect(await recorder.atEnd.failure?.code == .cancelled)
    }

    @Test("a failure at a resume by consumption ends the exchange once (fault 84)")
    func failureAtGoingOn() async {
        let recorder = ExchangeRecorder()
        let exchange = fixture.exchange("/chunked/400000").with {
            $0.receiveWindow = 1000
            $0.limits.bodySize = 20_000
        }
        let transfer = fixture.transport.start(exchange, reportingTo: recorder)
        _ = await recorder.when { $0.byteCount >= 1000 }
        await settle()
        #expect(recorder.now.ends.isEmpty)
        // The piece that libcurl holds back exceeds the limit when it is delivered.
        transfer.didConsume(recorder.byteCount)
        #expect(await recorder.atEnd.failure?.limit == .bodySize)
        transfer.didConsume(1000)
        transfer.resume()
        await settle()
        #expect(recorder.now.ends.count == 1)
    }

    @Test(
        "a consumer gets the whole body",
        arguments: ["/bytes/9000000", "/chunked/9000000", "/gzip/9000000", "/text", "/bytes/0"]
    )
    func whole(path: String) async {
        let expected = await fixture.transport.perform(fixture.exchange(path)).body
        let sink = ConsumingSink()
        sink.start(exchange(path), on: fixture.transport)
        let record = await sink.recorder.atEnd
        #expect(record.failure == nil)
        #expect(record.body == expected)
    }

    @Test("the consumer's time is not idle time")
    func idle() async {
        let recorder = ExchangeRecorder(keepsBody: false)
        let exchange = exchange("/bytes/5000000").with { $0.timeouts.idle = 0.15 }
        let transfer = fixture.transport.start(exchange, reportingTo: recorder)
        _ = await recorder.when { $0.byteCount >= Self.window }
        _ = await fixture.transport.perform(fixture.exchange("/delay/400"))
        #expect(recorder.now.ends.isEmpty)
        transfer.didConsume(10_000_000)
        #expect(await recorder.atEnd.failure == nil)
    }

    @Test("an exchange that waits for its consumer can be suspended, resumed and canceled")
    func control() async {
        let (recorder, transfer) = begin("/endless")
        _ = await recorder.when { $0.byteCount >= Self.window }
        transfer.suspend()
        await settle()
        let count = recorder.byteCount
        transfer.didConsume(count)
        await settle()
        #expect(recorder.byteCount == count)
        transfer.resume()
        _ = await recorder.when { $0.byteCount >= count + Self.window }
        transfer.suspend()
        transfer.cancel()
        #expect(await recorder.atEnd.failure?.code == .cancelled)
    }

    @Test("an upload continues while its response waits for the consumer")
    func bothWays() async throws {
        let server = try RawServer { connection, _ in
            connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 3000000\r\n\r\n")
            connection.send(String(repeating: "x", count: 1_200_000))
            connection.read(5_000_000)
            connection.send(String(repeating: "x", count: 1_800_000))
        }
        var exchange = Exchange(method: "POST", url: server.baseURL, pool: fixture.pool)
        exchange.body = .scripted(DeterministicBytes.prefix(5_000_000), length: 5_000_000)
        exchange.receiveWindow = Self.window
        let recorder = ExchangeRecorder(keepsBody: false)
        let transfer = fixture.transport.start(exchange, reportingTo: recorder)
        _ = await recorder.when { $0.byteCount >= Self.window }
        transfer.didConsume(2_000_000)
        _ = await recorder.when { $0.byteCount >= 2_000_000 }
        transfer.didConsume(2_000_000)
        let record = await recorder.atEnd
        #expect(record.failure == nil)
        #expect(record.byteCount == 3_000_000)
    }
}

/// A sink that consumes each piece on another thread.
private final class ConsumingSink: ExchangeSink {
    let recorder = ExchangeRecorder()
    private let transfer = Locked<(any Transfer)?>(nil)
    private let queue = DispatchQueue(label: "consumer")

    func start(_ exchange: Exchange, on transport: CurlTransport) {
        queue.sync {
            let started = transport.start(exchange, reportingTo: self)
            transfer.withLock { $0 = started }
        }
    }

    func receive(_ report: Exchange.Report) {
        recorder.receive(report)
        let count = report.body.reduce(0) { $0 + $1.count }
        queue.async { [self] in
            transfer.withLock { $0 }?.didConsume(count)
            // The transfer retains its sink.
            if report.end != nil { transfer.withLock { $0 = nil } }
        }
    }
}
