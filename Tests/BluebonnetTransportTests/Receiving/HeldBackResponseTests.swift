import BluebonnetFixtureServer
import BluebonnetTestSupport
import BluebonnetTransport
import Foundation
import Testing

@Suite("What the server has sent of a response that is held back", .timeLimit(.minutes(5)))
struct HeldBackResponseTests {
    private static let mebibyte = 1024 * 1024
    /// The maximum that the buffers of a connection's two sockets can hold.
    private static let inSockets = 40 * mebibyte

    let fixture: TransportFixture

    init() throws {
        fixture = try TransportFixture()
    }

    @Test(
        "it is bounded while the request's body is still being sent, and everything arrives",
        arguments: [true, false]
    )
    func whileSending(isRead: Bool) async throws {
        let (requestSize, responseSize) = (64 * Self.mebibyte, 192 * Self.mebibyte)
        let server = try CountingServer(
            .plain, count: responseSize, requestSize: requestSize, readsAtOnce: isRead)
        var exchange = exchange(to: server, window: 1_000_000)
        exchange.method = "POST"
        exchange.body = .scripted(
            [UInt8](repeating: 0, count: requestSize), length: Int64(requestSize))
        let recorder = ExchangeRecorder(keepsBody: false)
        let transfer = fixture.transport.start(exchange, reportingTo: recorder)
        _ = await recorder.when { $0.byteCount >= 1_000_000 }
        await settle(server)
        #expect(server.counts.sent < 18 * Self.mebibyte + Self.inSockets)
        var consumed = 0
        while recorder.now.ends.isEmpty {
            let count = recorder.byteCount
            transfer.didConsume(count - consumed)
            consumed = count
            _ = await recorder.when { $0.byteCount > count || !$0.ends.isEmpty }
        }
        let record = await recorder.atEnd
        #expect(record.failure == nil)
        #expect(record.byteCount == responseSize)
        // The response ends with its connection, which the server closes last.
        #expect(server.counts.read == requestSize)
    }

    @Test(
        "it does not keep the loop busy at its end, and arrives when it is consumed",
        arguments: ["GET", "POST", "PUT"], ["/bytes/400000", "/chunked/400000"]
    )
    func end(method: String, path: String) async {
        var exchange = fixture.exchange(path)
        exchange.method = method
        exchange.receiveWindow = 100_000
        exchange.keepsBody = false
        if method != "GET" {
            exchange.body = .data(Data(count: method == "PUT" ? 200_000 : 1000))
        }
        let recorder = ExchangeRecorder(keepsBody: false)
        let transfer = fixture.transport.start(exchange, reportingTo: recorder)
        _ = await recorder.when { $0.byteCount >= 100_000 }
        transfer.didConsume(100_000)
        _ = await recorder.when { $0.byteCount >= 200_000 }
        for _ in 0..<3 { _ = await fixture.transport.perform(fixture.exchange("/delay/10")) }
        let turns = fixture.transport.turnCount
        _ = await fixture.transport.perform(fixture.exchange("/delay/300"))
        #expect(fixture.transport.turnCount - turns < 25)
        transfer.didConsume(1_000_000)
        let record = await recorder.atEnd
        #expect(record.failure == nil)
        #expect(record.byteCount == 400_000)
    }

    @Test("it costs the loop nothing while other requests are performed")
    func others() async {
        func duration() async -> Duration {
            var shortest = Duration.seconds(60)
            for _ in 0..<3 {
                let start = ContinuousClock.now
                for _ in 0..<30 {
                    // On a separate connection, which adds another socket.
                    var exchange = fixture.exchange("/text")
                    exchange.pool = Exchange.Pool()
                    _ = await fixture.transport.perform(exchange)
                }
                shortest = min(shortest, ContinuousClock.now - start)
            }
            return shortest
        }
        let alone = await duration()
        let pool = Exchange.Pool(maximumConnectionsPerHost: 300)
        let held = (0..<300).map { _ in
            let recorder = ExchangeRecorder(keepsBody: false)
            var exchange = fixture.exchange("/bytes/4000000")
            (exchange.receiveWindow, exchange.keepsBody) = (100_000, false)
            exchange.pool = pool
            return (recorder, fixture.transport.start(exchange, reportingTo: recorder))
        }
        for (recorder, _) in held { _ = await recorder.when { $0.byteCount >= 100_000 } }
        for _ in 0..<3 { _ = await fixture.transport.perform(fixture.exchange("/delay/10")) }
        // If all were checked for each, it would take fifteen times as long in every measurement. A
        // busy machine is not slow in all of them.
        var shortest = await duration()
        for _ in 0..<5 where shortest >= alone * 6 { shortest = min(shortest, await duration()) }
        #expect(shortest < alone * 6)
        for (recorder, transfer) in held {
            transfer.cancel()
            _ = await recorder.atEnd
        }
    }

    @Test(
        "it does not grow with the consumed bytes, for any window and coding",
        arguments: [1000, 100_000, 1_000_000], CountingServer.Coding.allCases
    )
    fileprivate func growth(window: Int, coding: CountingServer.Coding) async throws {
        let server = try CountingServer(coding, count: 4096 * Self.mebibyte)
        let recorder = ExchangeRecorder(keepsBody: false)
        let transfer = fixture.transport.start(
            exchange(to: server, window: window), reportingTo: recorder)
        var consumed = 0
        // So many bytes that the sockets could not hide as many again.
        while coding.encodedSize(of: consumed) < 60 * Self.mebibyte {
            let count = consumed
            let record = await recorder.when { $0.byteCount > count || !$0.ends.isEmpty }
            guard record.ends.isEmpty else { break }
            consumed = record.byteCount
            #expect(consumed - count <= window + 300_000)
            transfer.didConsume(consumed - count)
        }
        await settle(server)
        let taken = coding.encodedSize(of: consumed)
        #expect(server.counts.sent - taken < 2 * Self.mebibyte + Self.inSockets)
        transfer.cancel()
        #expect(await recorder.atEnd.failure?.code == .cancelled)
    }

    private func exchange(to server: CountingServer, window: Int) -> Exchange {
        var exchange = Exchange(method: "GET", url: server.baseURL, pool: fixture.pool)
        exchange.receiveWindow = window
        exchange.keepsBody = false
        return exchange
    }

    /// Waits until neither side of the server has moved for a while.
    private func settle(_ server: CountingServer) async {
        var (last, rounds) = (server.counts, 0)
        while rounds < 15 {
            _ = await fixture.transport.perform(fixture.exchange("/delay/10"))
            let counts = server.counts
            rounds = counts == last ? rounds + 1 : 0
            last = counts
        }
    }
}

/// Sends its response while it reads the request, and counts both.
private final class CountingServer: Sendable {
    struct Counts: Equatable {
        var sent = 0
        var read = 0
    }

    enum Coding: CaseIterable {
        case plain, zstd

        /// The bytes that are sent once.
        var start: [UInt8] {
            switch self {
            case .plain: Array("HTTP/1.1 200 OK\r\nConnection: close\r\n".utf8) + lineEnd
            case .zstd:
                Array("HTTP/1.1 200 OK\r\nContent-Encoding: zstd\r\n".utf8) + lineEnd
                    // No length, and a window of 512 KiB (RFC 8878 section 3.1.1.1).
                    + [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x48]
            }
        }

        private var lineEnd: [UInt8] { Array("\r\n".utf8) }

        /// The bytes that are sent repeatedly.
        var piece: [UInt8] {
            switch self {
            case .plain: [UInt8](repeating: 97, count: 65_536)
            // One byte repeated 65,000 times, and 13,000 literal bytes (RFC 8878 section 3.1.1.2).
            case .zstd:
                [0x42, 0xEF, 0x07, 97, 0x40, 0x96, 0x01] + [UInt8](repeating: 97, count: 13_000)
            }
        }

        func encodedSize(of count: Int) -> Int {
            self == .plain ? count : count / (65_000 + 13_000) * piece.count
        }
    }

    private let state: Locked<Counts>
    private let server: RawServer

    init(_ coding: Coding, count: Int, requestSize: Int = 0, readsAtOnce: Bool = true) throws {
        let state = Locked(Counts())
        server = try RawServer { connection, _ in
            connection.readHead()
            let hasSent = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                connection.send(coding.start)
                let piece = coding.piece
                for _ in 0..<count / piece.count where connection.send(piece) {
                    state.withLock { $0.sent += piece.count }
                }
                hasSent.signal()
            }
            if !readsAtOnce { hasSent.wait() }
            while state.withLock({ $0.read }) < requestSize {
                let count = connection.read(65_536).count
                guard count > 0 else { break }
                state.withLock { $0.read += count }
                // Gives the response time to arrive first.
                if readsAtOnce { usleep(500) }
            }
            if readsAtOnce { hasSent.wait() }
        }
        self.state = state
    }

    var counts: Counts { state.withLock { $0 } }
    var baseURL: String { server.baseURL }
}
