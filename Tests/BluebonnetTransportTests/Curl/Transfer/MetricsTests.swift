import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation
import FoundationNetworking
import Testing

@testable import BluebonnetTransport

@Suite("Metrics of an exchange", .timeLimit(.minutes(5)))
struct MetricsTests {
    let fixture: TransportFixture

    init() throws {
        fixture = try TransportFixture(pool: Exchange.Pool(maximumConnectionsPerHost: 1))
    }

    private func metrics(_ exchange: Exchange) async throws -> Exchange.Metrics {
        try #require(await fixture.transport.perform(exchange).ends.first).metrics
    }

    @Test("the times of an exchange are in order, on a new and on a kept connection")
    func order() async throws {
        for isReused in [false, true] {
            let metrics = try await metrics(fixture.exchange("/delay/30"))
            #expect(metrics.isConnectionReused == isReused)
            let start = try #require(metrics.requestStartDuration)
            let sent = try #require(metrics.requestEndDuration)
            let first = try #require(metrics.firstByteDuration)
            let head = try #require(metrics.headDuration)
            #expect(start >= 0)
            #expect(start <= sent)
            #expect(sent <= first)
            #expect(first >= 0.03)
            #expect(first <= head)
            #expect(head <= metrics.totalDuration)
            #expect((metrics.connectDuration > 0) == !isReused)
            #expect(metrics.tlsDuration == 0)
        }
    }

    @Test("the end of a request with a body is reported from libcurl 8.10 on")
    func requestEnd() async throws {
        let post = fixture.exchange("/text", method: "POST", body: Array("body".utf8))
        let metrics = try await metrics(post)
        let sent = metrics.requestEndDuration
        #expect((sent != nil) == LibcurlQuirks.current.measuresEndOfRequest)
        #expect(sent ?? 0 <= metrics.totalDuration)
    }

    @Test("the wait for a connection is queueDuration, and is in no later duration")
    func queue() async throws {
        let ahead = fixture.transport.begin(fixture.exchange("/delay/500")).recorder
        let metrics = try await metrics(fixture.exchange("/text"))
        // Less than the whole delay, because a thread can start the second one late.
        #expect(metrics.queueDuration >= 0.25)
        let head = try #require(metrics.headDuration)
        #expect(metrics.queueDuration + head <= metrics.totalDuration)
        let first = try #require(await ahead.atEnd.ends.first).metrics
        #expect(first.queueDuration < 0.25)
        #expect(try #require(first.headDuration) >= 0.5)
    }

    @Test("looking up a host takes time on a new connection, and none on a kept one")
    func lookup() async throws {
        for isReused in [false, true] {
            let url = "http://localhost:\(fixture.server.port)/text"
            let metrics = try await metrics(
                Exchange(method: "GET", url: url, pool: fixture.pool))
            #expect(metrics.isConnectionReused == isReused)
            #expect((metrics.nameLookupDuration > 0) == !isReused)
        }
    }

    @Test("the first byte is that of an interim response, and the head is the final one")
    func interim() async throws {
        fixture.server.route("/early") { _ in
            .script([
                .send(Array("HTTP/1.1 103 Early Hints\r\n\r\n".utf8)), .pause(milliseconds: 100),
                .send(Array("HTTP/1.1 204 No Content\r\n\r\n".utf8)), .endRequest,
            ])
        }
        let metrics = try await metrics(fixture.exchange("/early"))
        let first = try #require(metrics.firstByteDuration)
        let head = try #require(metrics.headDuration)
        #expect(first < head)
        #expect(head - first >= 0.02)
        #expect(metrics.responseHeaderBytes == 28 + 27)
    }

    @Test("all bytes of head and body are counted, in both directions")
    func bytes() async throws {
        fixture.server.route("/count") { _ in
            .raw(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nT: u\r\n\r\n",
                then: .endRequest)
        }
        for size in [nil, 0, 10, 65_536, 70_000, 1_000_000] {
            var exchange = fixture.exchange(
                "/count", method: size == nil ? "GET" : "POST",
                body: size.map { DeterministicBytes.prefix($0) })
            exchange.fields = [.init(name: "User-Agent", value: "x")]
            let metrics = try await metrics(exchange)
            let method = size == nil ? "GET" : "POST"
            let length = size.map { "Content-Length: \($0)\r\n" } ?? ""
            let head =
                "\(method) /count HTTP/1.1\r\nHost: 127.0.0.1:\(fixture.server.port)\r\n"
                + "Accept: */*\r\nUser-Agent: x\r\n\(length)\r\n"
            #expect(metrics.requestHeaderBytes == Int64(head.utf8.count), "\(size ?? -1)")
            #expect(metrics.requestBodyBytes == Int64(size ?? 0))
            #expect(metrics.responseHeaderBytes == 47 + 6)
            #expect(metrics.responseBodyBytes == 3)
            #expect(metrics.decodedBodyBytes == 3)
        }
        let coded = try await metrics(fixture.exchange("/gzip/100000"))
        #expect(coded.decodedBodyBytes == 100_000)
        #expect(coded.responseBodyBytes > 0)
        #expect(coded.responseBodyBytes != coded.decodedBodyBytes)
    }

    @Test("both addresses of the connection are known, and are the same on a kept one")
    func addresses() async throws {
        let first = try await metrics(fixture.exchange("/text"))
        let second = try await metrics(fixture.exchange("/text"))
        #expect(first.remoteAddress == "127.0.0.1")
        #expect(first.remotePort == Int(fixture.server.port))
        #expect(first.localAddress == "127.0.0.1")
        #expect(first.localPort > 0)
        #expect(first.localPort == second.localPort)
        #expect(first.tlsVersion.isEmpty)
        #expect(first.tlsCipherSuite.isEmpty)
    }

    @Test("a failed exchange has only the times that were reached")
    func failures() async throws {
        let closed = try ReservedPort()
        let refused = try await metrics(
            Exchange(method: "GET", url: closed.baseURL + "/", pool: fixture.pool))
        #expect(refused.requestStartDuration == nil)
        #expect(refused.requestEndDuration == nil)
        #expect(refused.firstByteDuration == nil)
        #expect(refused.requestHeaderBytes == 0)
        #expect(refused.responseHeaderBytes == 0)
        #expect(refused.protocolVersion.isEmpty)
        let cut = try await metrics(fixture.exchange("/hang").with { $0.timeouts.head = 0.05 })
        #expect(cut.requestStartDuration != nil)
        #expect(cut.firstByteDuration == nil)
        #expect(cut.requestHeaderBytes > 0)
        #expect(cut.localPort > 0)
    }

    @Test("the times of an exchange start at its begin, however long it existed before")
    func keptBeforeBeginning() async throws {
        let fixture = try TransportFixture()
        let recorder = ExchangeRecorder()
        let transfer = fixture.transport.transfer(
            for: fixture.exchange("/text"), reportingTo: recorder)
        // The date must advance, which takes less than a millisecond.
        let made = Date()
        while Date() == made {}
        let begun = Date()
        transfer.begin()
        let metrics = try #require(await recorder.atEnd.ends.first?.metrics)
        #expect(metrics.startDate >= begun)
    }
}
