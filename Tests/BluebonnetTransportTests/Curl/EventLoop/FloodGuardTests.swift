import BluebonnetFixtureServer
import CBluebonnet
import Foundation
import Testing

@testable import BluebonnetTransport

@Suite("The watch over connections that old versions read without an end", .timeLimit(.minutes(5)))
struct FloodGuardTests {
    @Test(
        "many trailers that are read at once are no flood",
        .enabled(
            if: !LibcurlVersion.isRunning(atLeast: LibcurlVersion.oldestWithSafeHTTP2),
            "libcurl 8.14 takes only some of them"))
    func trailers() async throws {
        let count = 1_000_000
        var text = Array(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\ngood\r\n0\r\n".utf8)
        for _ in 0..<count { text += Array("A: b\r\n".utf8) }
        let server = try FaultServer(FaultScript([.request, .send(text + Array("\r\n".utf8))]))
        var exchange = Exchange(
            method: "GET", url: "http://127.0.0.1:\(server.port)/",
            pool: Exchange.Pool(httpVersion: .http2))
        // Has much read in one call.
        exchange.receiveWindow = 1_000_000
        exchange.limits.trailerFieldCount = .max
        exchange.limits.trailerSize = .max
        let record = await CurlTransport().perform(exchange)
        #expect(record.failure == nil)
        #expect(record.body == Data("good".utf8))
    }

    private static let piece = "sixteen letters."
    /// Less of each download than libcurl's buffer for it holds, beyond which it leaves off.
    private static let pieceCount = 4000
    private static let downloadCount = 40

    /// Downloads that begin, and whose rests come before the answer to another request, in so many
    /// frames that reading them takes long.
    private static var script: FaultScript {
        let streams = (1...downloadCount).map { UInt32($0 * 2 + 1) }
        let pieces = streams.map { HTTP2Frame.data(piece, stream: $0).bytes }
        let last = UInt32(downloadCount * 2 + 3)
        let begun = streams.flatMap { stream -> [FaultAction] in
            [
                .requestHTTP2(stream: stream),
                .send([.headers([.status(200)], stream: stream), .data(piece, stream: stream)]),
            ]
        }
        return .http2(
            [
                .beginHTTP2([]),
                .requestHTTP2(stream: 1), .send(HTTP2Frame.response(body: "good", stream: 1)),
            ] + begun + [
                .requestHTTP2(stream: last),
                .send((1..<pieceCount).flatMap { _ in pieces.joined() }),
                .send(HTTP2Frame.response(body: "good", stream: last)),
                .send(streams.map { .data("", stream: $0, endsStream: true) }), .hold,
            ])
    }

    @Test(
        "what libcurl keeps of downloads while it reads for another exchange is no flood",
        .enabled(
            if: !LibcurlVersion.isRunning(atLeast: LibcurlVersion.oldestWithSafeHTTP2),
            "nobody watches later ones"))
    func downloads() async throws {
        let certificates = try TLSServer.makeCertificates()
        defer { try? FileManager.default.removeItem(at: certificates) }
        func path(_ name: String) -> String { certificates.appendingPathComponent(name).path }
        var identity = ServerIdentity(chainFile: path("s.pem"), keyFile: path("s.key"))
        identity.applicationProtocol = "h2"
        let server = try FaultServer(Self.script, identity: identity)
        var exchange = Exchange(
            method: "GET", url: "https://localhost:\(server.port)/",
            pool: Exchange.Pool(
                maximumConnectionsPerHost: 1, certificateAuthorityFile: path("ca.pem"),
                httpVersion: .http2))
        exchange.timeouts.idle = 20
        let transport = CurlTransport()
        _ = await transport.perform(exchange)
        var downloads: [(recorder: ExchangeRecorder, transfer: any Transfer)] = []
        for _ in 0..<Self.downloadCount {
            let download = transport.begin(exchange.with { $0.receiveWindow = 16 })
            _ = await download.recorder.when { $0.byteCount > 0 || !$0.ends.isEmpty }
            downloads.append(download)
        }
        let other = await transport.perform(exchange)
        #expect(other.failure == nil)
        #expect(other.body == Data("good".utf8))
        for download in downloads {
            download.transfer.didConsume(Self.piece.utf8.count * Self.pieceCount)
            let record = await download.recorder.atEnd
            #expect(record.failure == nil)
            #expect(record.byteCount == Self.piece.utf8.count * Self.pieceCount)
        }
        #expect(server.counters.acceptedConnections == 1)
    }

    private static let priority = HTTP2Frame(
        .priority, stream: 1, payload: [0, 0, 0, 0, 1])

    /// A download that is held back before the flood begins.
    private static let floodAfterDownload: [FaultAction] = [
        .beginHTTP2([]), .requestHTTP2(stream: 1),
        .send([.headers([.status(200)], stream: 1), .data(piece, stream: 1)]),
        // libcurl waits once more comes than is wanted, after it has answered the ping.
        .await(signals: 1), .send([.data(piece, stream: 1), .ping()]), .frames(.ping, count: 1),
        .repeatForever(Array(repeating: priority, count: 1000)),
    ]

    @Test(
        "a flood that is read when a download goes on ends, whatever connection was read before",
        .enabled(
            if: !LibcurlVersion.isRunning(atLeast: LibcurlVersion.oldestWithSafeHTTP2),
            "nobody watches later ones"),
        arguments: [0, 99])
    func floodBehindDownload(otherCount: Int) async throws {
        let flooding = try FaultServer(.http2(Self.floodAfterDownload))
        let good = try FaultServer(.http2([.beginHTTP2([]), .serve]))
        let silent = try FaultServer(.http2([.beginHTTP2([]), .hold]))
        var exchange = Exchange(
            method: "GET", url: "http://127.0.0.1:\(flooding.port)/",
            pool: Exchange.Pool(
                maximumConnectionsPerHost: 100, httpVersion: .http2PriorKnowledge))
        let transport = CurlTransport(measuresProcessorTime: true)
        let download = transport.begin(exchange.with { $0.receiveWindow = 16 })
        _ = await download.recorder.when { $0.byteCount > 0 || !$0.ends.isEmpty }
        flooding.signal()
        exchange.url = "http://127.0.0.1:\(silent.port)/"
        let others = (0..<otherCount).map { _ in transport.begin(exchange) }
        exchange.url = "http://127.0.0.1:\(good.port)/"
        // While the flood fills what the kernel holds, which nothing tells of.
        for _ in 0..<100 { #expect(await transport.perform(exchange).failure == nil) }
        download.transfer.didConsume(Self.piece.utf8.count)
        let record = await download.recorder.atEnd
        #expect(record.failure?.code == .networkConnectionLost)
        #expect(transport.longestTurnOnProcessor < 0.5)
        #expect(await transport.perform(exchange).failure == nil)
        for other in others { other.transfer.cancel() }
    }

    /// Reads on, as libcurl would, until the connection ends or half a second of the processor is used.
    private static func read(_ socket: Int32) {
        let clock = bb_thread_clock(), end = bb_clock_nanoseconds(clock) + 500_000_000
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bb_clock_nanoseconds(clock) < end, recv(socket, &buffer, buffer.count, 0) > 0 {}
    }

    @Test(
        "a socket that has the number of a connection by now is left alone",
        arguments: [true, false])
    func laterSocket(isConnection: Bool) throws {
        let server = try FaultServer(
            FaultScript([.repeatForever([UInt8](repeating: 0, count: 65_536))]))
        let endedSocket = bb_socket_create_ended()
        let socket = try #require(connect(to: server.port))
        let number = isConnection ? dup(socket) : dup(endedSocket)
        defer { for descriptor in [endedSocket, socket, number] { close(descriptor) } }
        let floodGuard = FloodGuard(endedSocket: endedSocket)
        floodGuard.opened(number)
        #expect(dup2(socket, number) == number)
        floodGuard.begin(exchangeCount: 1, hasLeft: false)
        Self.read(number)
        #expect(floodGuard.end() == isConnection)
        #expect(
            (SocketTable.inode(of: number) == SocketTable.inode(of: endedSocket)) == isConnection)
    }
}
