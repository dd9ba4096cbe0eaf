import BluebonnetFixtureServer
import BluebonnetTestSupport
import BluebonnetTransport
import Foundation
import Testing

@Suite("The overhead of chunks", .timeLimit(.minutes(5)))
struct ChunkOverheadTests {
    private static let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    let fixture: TransportFixture

    init() throws {
        fixture = try TransportFixture()
    }

    @Test("one-byte chunks with short extensions are a valid body, even beyond 4 MiB")
    func smallChunks() async throws {
        let chunk = "1;\(String(repeating: "x", count: 110))\r\na\r\n"
        let server = try RawServer { connection, _ in
            connection.readHead()
            connection.send(Self.head + chunk)
            // After the first check, everything counts.
            for _ in 0..<8 {
                Thread.sleep(forTimeInterval: 0.1)
                connection.send(String(repeating: chunk, count: 25_000))
            }
            connection.send("0\r\n\r\n")
        }
        let exchange = Exchange(method: "GET", url: server.baseURL, pool: fixture.pool)
        let record = await fixture.transport.perform(exchange)
        #expect(record.failure == nil)
        #expect(record.body.count == 200_001)
    }

    @Test(
        "an endless extension makes no turn long, whether the body is kept or passed on",
        arguments: [nil, 1_000_000])
    func endlessExtension(window: Int?) async throws {
        var shortest = TimeInterval.infinity
        // Up to three times, because a busy machine takes longer for the same work.
        for _ in 0..<3 where shortest >= Self.longestTurn {
            shortest = min(shortest, try await longestTurn(window: window))
        }
        #expect(shortest < Self.longestTurn)
    }

    private static let longestTurn = 0.15

    private func longestTurn(window: Int?) async throws -> TimeInterval {
        let server = try FaultServer(
            FaultScript([
                .request, .send(Self.head + "3;"),
                .repeatForever([UInt8](repeating: UInt8(ascii: "x"), count: 65_536)),
            ]))
        let transport = CurlTransport(measuresProcessorTime: true)
        var exchange = Exchange(
            method: "GET", url: "http://127.0.0.1:\(server.port)/", pool: Exchange.Pool())
        exchange.receiveWindow = window
        let record = await transport.perform(exchange)
        #expect(record.failure?.code == .badServerResponse)
        return transport.longestTurnOnProcessor
    }

    @Test("a response that waits for its consumer during an upload is not a flood")
    func bothWays() async throws {
        let count = 8 * 1024 * 1024
        let (hasRead, signal) = AsyncStream<Void>.makeStream()
        let server = try RawServer { connection, _ in
            connection.readHead()
            connection.send(Self.head + Self.chunk(100_000))
            let hasSent = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                // After the first check.
                Thread.sleep(forTimeInterval: 0.4)
                for _ in 0..<count >> 20 { connection.send(Self.chunk(1 << 20)) }
                connection.send("0\r\n\r\n")
                hasSent.signal()
            }
            // A slow reader, so that the upload takes several checks.
            for _ in 0..<64 {
                connection.read(count / 64)
                Thread.sleep(forTimeInterval: 0.02)
            }
            signal.finish()
            hasSent.wait()
        }
        var exchange = Exchange(method: "POST", url: server.baseURL, pool: fixture.pool)
        exchange.body = .scripted(DeterministicBytes.prefix(count), length: Int64(count))
        exchange.receiveWindow = 100_000
        let recorder = ExchangeRecorder(keepsBody: false)
        let transfer = fixture.transport.start(exchange, reportingTo: recorder)
        for await _ in hasRead {}
        transfer.didConsume(2 * count)
        let record = await recorder.atEnd
        #expect(record.failure == nil)
        #expect(record.byteCount == count + 100_000)
    }

    private static func chunk(_ count: Int) -> String {
        "\(String(count, radix: 16))\r\n\(String(repeating: "a", count: count))\r\n"
    }
}
