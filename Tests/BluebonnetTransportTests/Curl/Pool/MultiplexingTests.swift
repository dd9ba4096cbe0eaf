@testable import BluebonnetTransport
import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation
import FoundationNetworking
import Testing

@Suite("HTTP/2", .timeLimit(.minutes(5)), .enabled(if: LibcurlQuirks.current.speaksHTTP2))
struct MultiplexingTests {
    let transport = CurlTransport()

    private func perform(
        _ url: String,
        _ pool: Exchange.Pool,
        _ change: (inout Exchange) -> Void = { _ in }
    ) async -> ExchangeRecorder.Record {
        await transport.perform(Exchange(method: "GET", url: url, pool: pool).with(change))
    }

    @Test("heads and trailers have the same limits as with HTTP/1.1")
    func responseLimits() async throws {
        let server = try await MultiplexingServer()
        let pool = Exchange.Pool(httpVersion: .http2PriorKnowledge)
        let url = "http://127.0.0.1:\(server.plainPort)/trailer"
        let whole = await perform(url, pool)
        #expect(whole.ends.first?.metrics.protocolVersion == "HTTP/2")
        let count = try #require(whole.head?.fields.count)
        let allowed = await perform(url, pool) {
            $0.limits.fieldCount = count
            $0.limits.trailerFieldCount = 3
        }
        #expect(allowed.failure == nil && String(decoding: allowed.body, as: UTF8.self) == "body")
        #expect(allowed.trailers?.map(\.description) == ["a: 1", "b: 2", "c: 3"])
        let cases: [(Exchange.Failure.Limit, (inout Exchange.Limits) -> Void)] = [
            (.fieldCount, { $0.fieldCount = count - 1 }), (.headSize, { $0.headSize = 60 }),
            (.trailerFieldCount, { $0.trailerFieldCount = 2 }),
            (.trailerSize, { $0.trailerSize = 10 }),
        ]
        for (limit, lower) in cases {
            let refused = await perform(url, pool) { lower(&$0.limits) }
            #expect(refused.failure?.limit == limit, "\(String(describing: refused.failure))")
        }
    }

    @Test("the pool chooses the version, and TLS negotiates it")
    func versions() async throws {
        let server = try await MultiplexingServer()
        let choices: [(Exchange.HTTPVersion, String)] = [
            (.automatic, "HTTP/2"), (.http1, "HTTP/1.1"),
            (.http2, "HTTP/2"), (.http2PriorKnowledge, "HTTP/2"),
        ]
        for (version, expected) in choices {
            let pool = Exchange.Pool(
                certificateAuthorityFile: server.authority, httpVersion: version)
            for _ in 0..<2 {
                let record = await perform("https://localhost:\(server.securePort)/text", pool)
                #expect(record.failure == nil)
                #expect(record.head?.statusCode == 200)
                #expect(record.head?["content-type"] == "text/plain")
                #expect(String(decoding: record.body, as: UTF8.self).hasPrefix("text"))
                #expect(record.ends.first?.metrics.protocolVersion == expected)
                #expect(record.ends.first?.metrics.tlsVersion == "TLSv1.3")
            }
        }
        let plain = Exchange.Pool(httpVersion: .http2PriorKnowledge)
        let record = await perform("http://127.0.0.1:\(server.plainPort)/text", plain)
        #expect(record.ends.first?.metrics.protocolVersion == "HTTP/2")
        let pairs = (0..<20).map { _ in
            transport.begin(
                Exchange(
                    method: "GET", url: "http://127.0.0.1:\(server.plainPort)/text", pool: plain))
        }
        for pair in pairs { #expect(await pair.recorder.atEnd.failure == nil) }
    }

    @Test("without TLS and prior knowledge it is HTTP/1.1, without an upgrade request")
    func plainText() async throws {
        let server = try FixtureServer()
        server.recordsRequests = true
        let record = await perform(server.baseURL + "/text", Exchange.Pool(httpVersion: .http2))
        #expect(record.ends.first?.metrics.protocolVersion == "HTTP/1.1")
        #expect(server.recordedRequests.last?.headers["Upgrade"] == nil)
        server.route("/liar") { _ in .raw("HTTP/2 200 OK\r\nContent-Length: 0\r\n\r\n") }
        let liar = await perform(server.baseURL + "/liar", Exchange.Pool())
        #expect(liar.failure?.code == .badServerResponse)
    }

    @Test("limits of Int.max are no limits")
    func noLimits() async throws {
        let server = try await MultiplexingServer()
        let pool = Exchange.Pool(
            maximumConnectionsPerHost: .max, maximumConnections: .max,
            maximumStreamsPerConnection: .max, certificateAuthorityFile: server.authority,
            httpVersion: .http2)
        let base = "https://localhost:\(server.securePort)"
        for _ in 0..<2 { #expect(await perform(base + "/text", pool).failure == nil) }
    }

    @Test("an HTTP/2 host gets as many exchanges as its connections allow, and no more")
    func limits() async throws {
        let server = try await MultiplexingServer()
        let pool = Exchange.Pool(
            maximumConnectionsPerHost: 2, maximumConnections: 2, maximumStreamsPerConnection: 5,
            certificateAuthorityFile: server.authority, httpVersion: .http2)
        let base = "https://localhost:\(server.securePort)"
        #expect(await perform(base + "/text", pool).failure == nil)
        // Its head reveals the host's version, which was forgotten with the previous exchange.
        let slow = Exchange(method: "GET", url: base + "/slow", pool: pool)
        let first = transport.begin(slow).recorder
        _ = await first.when { $0.head != nil }
        let others = (0..<12).map { _ in
            transport.begin(slow).recorder
        }
        var spans: [ClosedRange<TimeInterval>] = []
        for recorder in [first] + others {
            let record = await recorder.atEnd
            #expect(record.failure == nil)
            #expect(record.body.count == 100_000)
            let metrics = try #require(record.ends.first).metrics
            let start = metrics.startDate.timeIntervalSinceReferenceDate
            let end = start + metrics.totalDuration
            spans.append(min(start + metrics.queueDuration, end)...end)
        }
        // The maximum of overlapping exchanges, measured after the start because a slot is passed
        // on within one turn.
        let overlaps = spans.map { span in
            spans.count {
                $0.lowerBound <= span.lowerBound && $0.upperBound > span.lowerBound + 0.1
            }
        }
        #expect(overlaps.max() == 10)
        #expect(SystemSockets.clients(of: server.securePort, in: .established).count <= 2)
    }

    @Test("all exchanges of a burst to a new host end, within the limit of connections")
    func burst() async throws {
        let server = try await MultiplexingServer(maximumStreams: 10)
        let pool = Exchange.Pool(
            maximumConnectionsPerHost: 3, certificateAuthorityFile: server.authority,
            httpVersion: .http2)
        let url = "https://localhost:\(server.securePort)/text"
        let recorders = (0..<200).map { _ in
            transport.begin(Exchange(method: "GET", url: url, pool: pool)).recorder
        }
        for recorder in recorders { #expect(await recorder.atEnd.failure == nil) }
        #expect(SystemSockets.clients(of: server.securePort, in: .established).count <= 3)
    }

    @Test("frames on an idle connection do not end it, but the server's close does")
    func idle() async throws {
        let (pinged, close) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let server = try RawServer { connection, _ in
            guard connection.readFirstRequest() else { return }
            connection.send(MultiplexedFrames.settings + MultiplexedFrames.emptyResponse(stream: 1))
            // After the response and anything that the client sends about it.
            usleep(100_000)
            connection.send(MultiplexedFrames.ping)
            pinged.signal()
            close.wait()
        }
        let pool = Exchange.Pool(httpVersion: .http2PriorKnowledge)
        let record = await perform(server.baseURL + "/", pool)
        #expect(record.failure == nil)
        #expect(record.ends.first?.metrics.protocolVersion == "HTTP/2")
        await wait(for: pinged)
        let turns = transport.turnCount
        let other = try FixtureServer()
        _ = await perform(other.baseURL + "/delay/100", Exchange.Pool())
        #expect(SystemSockets.clients(of: server.port, in: .established).count == 1)
        #expect(transport.turnCount - turns < 50)
        close.signal()
        #expect(
            await SystemSockets.settles {
                SystemSockets.clients(of: server.port, in: .established).isEmpty
                    && SystemSockets.clients(of: server.port, in: .closeWait).isEmpty
            })
    }

    private func wait(for semaphore: DispatchSemaphore) async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                semaphore.wait()
                continuation.resume()
            }
        }
    }
}

/// HTTP/2 frames of a server (RFC 9113 section 4.1).
private enum MultiplexedFrames {
    static let settings = frame(type: 4, stream: 0, []) + frame(type: 4, flags: 1, stream: 0, [])
    static let ping = frame(type: 6, stream: 0, Array("bluebonn".utf8))

    /// Returns a 204 without a body: entry 9 of HPACK's static table.
    static func emptyResponse(stream: UInt8) -> [UInt8] {
        frame(type: 1, flags: 5, stream: stream, [0x89])
    }

    private static func frame(
        type: UInt8, flags: UInt8 = 0, stream: UInt8, _ payload: [UInt8]
    ) -> [UInt8] {
        [0, 0, UInt8(payload.count), type, flags, 0, 0, 0, stream] + payload
    }
}

extension RawConnection {
    /// Reads the client's preface and frames up to its first request.
    fileprivate func readFirstRequest() -> Bool {
        guard read(24).count == 24 else { return false }
        while true {
            let head = read(9)
            guard head.count == 9 else { return false }
            read(Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2]))
            if head[3] == 1 { return true }
        }
    }
}
