@testable import BluebonnetTransport
import BluebonnetTestSupport
import CBluebonnetMalloc
import Foundation
import Testing

/// Many HTTP/2 streams on one connection, some of which are canceled or paused.
@Suite(
    "Streams of HTTP/2", .timeLimit(.minutes(5)), .enabled(if: LibcurlQuirks.current.speaksHTTP2))
struct MultiplexedStreamsTests {
    private static let largeSize = 3_000_000

    let transport = CurlTransport()
    let server: MultiplexingServer
    let pool: Exchange.Pool

    init() async throws {
        server = try await MultiplexingServer()
        try server.directory.write(Data(count: Self.largeSize), to: "large")
        // It is never complete before the cancel.
        try server.directory.write(Data(count: 50_000_000), to: "huge")
        pool = Exchange.Pool(
            maximumConnectionsPerHost: 1, certificateAuthorityFile: server.authority,
            httpVersion: .http2)
    }

    private func exchange(_ path: String) -> Exchange {
        var exchange = Exchange(
            method: "GET", url: "https://localhost:\(server.securePort)/\(path)", pool: pool)
        exchange.timeouts.idle = 20
        return exchange
    }

    /// Starts this many large downloads at once, and cancels each when its body arrives.
    private func cancelDownloads(count: Int) async {
        let pairs = (0..<count).map { _ in transport.begin(exchange("huge")) }
        for pair in pairs {
            _ = await pair.recorder.when { $0.byteCount > 0 || !$0.ends.isEmpty }
            pair.transfer.cancel()
        }
        for pair in pairs {
            let record = await pair.recorder.atEnd
            #expect(record.ends.count == 1)
        }
    }

    @Test("hundreds of canceled downloads do not reduce the window for later ones (fault 72)")
    func cancels() async throws {
        for _ in 0..<20 { await cancelDownloads(count: 15) }
        for path in ["text", "large"] {
            let record = await transport.perform(exchange(path))
            #expect(record.failure == nil, "\(path): \(String(describing: record.failure))")
        }
    }

    @Test("hundreds of canceled downloads do not reduce the window of a running one (fault 72)")
    func cancelsBeside() async throws {
        let slow = transport.begin(exchange("slow")).recorder
        _ = await slow.when { $0.head != nil }
        for _ in 0..<20 { await cancelDownloads(count: 15) }
        let record = await slow.atEnd
        #expect(record.failure == nil && record.byteCount == 100_000)
    }

    /// Cancels downloads of which libcurl holds a piece that exceeds the window.
    private static func cancelInPauses(_ port: UInt16, _ authority: String) async {
        let transport = CurlTransport()
        let pool = Exchange.Pool(
            maximumConnectionsPerHost: 1, certificateAuthorityFile: authority, httpVersion: .http2)
        var exchange = Exchange(method: "GET", url: "https://localhost:\(port)/huge", pool: pool)
        exchange.receiveWindow = 16 * 1024
        var before = 0
        for round in 0..<25 {
            if round == 5 { before = Int(mallinfo2().uordblks) }
            let pairs = (0..<15).map { _ in transport.begin(exchange) }
            for pair in pairs { _ = await pair.recorder.when { $0.byteCount >= 16 * 1024 } }
            for pair in pairs {
                pair.transfer.cancel()
                _ = await pair.recorder.atEnd
            }
        }
        // The HTTP/2 library itself keeps some state of up to a thousand streams.
        let growth = Int(mallinfo2().uordblks) - before
        #expect(growth < 4_000_000, "\(growth) bytes more are allocated")
        transport.shutDown()
    }

    @Test("downloads that are canceled during a pause release their memory (fault 72)")
    func cancelledInPauses() async throws {
        let (port, authority) = (server.securePort, server.authority)
        await #expect(processExitsWith: .success) {
            [port = port as UInt16, authority = authority as String] in
            await Self.cancelInPauses(port, authority)
        }
    }

    @Test("a download without a reader does not delay others on its connection (fault 72)")
    func paused() async throws {
        _ = await transport.perform(exchange("text"))
        var windowed = exchange("large")
        windowed.receiveWindow = 64 * 1024
        let paused = transport.begin(windowed)
        _ = await paused.recorder.when { $0.byteCount >= 64 * 1024 }
        for _ in 0..<5 {
            let others = (0..<10).map { _ in transport.begin(exchange("large")).recorder }
            for other in others {
                let record = await other.atEnd
                #expect(record.failure == nil)
                #expect(record.byteCount == Self.largeSize)
            }
        }
        #expect(paused.recorder.now.ends.isEmpty)
        #expect(paused.recorder.byteCount < Self.largeSize)
        // From here on, all bytes are consumed at once.
        paused.transfer.didConsume(Self.largeSize)
        let record = await paused.recorder.atEnd
        #expect(record.failure == nil)
        #expect(record.byteCount == Self.largeSize)
    }
}
