import BluebonnetFixtureServer
import Foundation
import FoundationNetworking
import Testing

@testable import BluebonnetTransport

@Suite("Requests on a lost idle connection", .timeLimit(.minutes(5)))
struct ResendingTests {
    /// How a server ends a connection while it reads a request.
    enum Ending: String, CaseIterable, Sendable {
        case reset, endThenReset

        var actions: [FaultAction] {
            switch self {
            case .reset: [.reset]
            // By then, the client has filled all buffers.
            case .endThenReset: [.halfClose, .pause(milliseconds: 100), .abandon]
            }
        }
    }

    /// The source of a request's body.
    enum Source: String, CaseIterable, Sendable {
        case memory, replayable, once
    }

    private static let bytes = DeterministicBytes.prefix(20_000_000)

    /// Bytes in memory, read like a source.
    // @unchecked: it is used by one thread at a time.
    private final class Bytes: BodySource, @unchecked Sendable {
        private var rest = ResendingTests.bytes[...]

        func read(upTo count: Int) -> Data {
            defer { rest = rest.dropFirst(count) }
            return Data(rest.prefix(count))
        }
    }

    let transport = CurlTransport()
    let pool = Exchange.Pool()

    private func exchange(_ method: String, _ source: Source, _ server: FaultServer) -> Exchange {
        Exchange(method: method, url: "http://127.0.0.1:\(server.port)/put", pool: pool).with {
            $0.timeouts.idle = 20
            $0.reportsSending = true
            $0.body =
                source == .memory
                ? .data(Data(Self.bytes))
                : .stream(
                    Exchange.BodyStream(
                        length: Int64(Self.bytes.count), isReplayable: source == .replayable,
                        open: { Bytes() }))
        }
    }

    /// Returns a server that answers one request and ends the connection during the next.
    private func server(_ ending: Ending) async throws -> FaultServer {
        let server = try FaultServer(
            FaultScript([.request, .answer, .receive(20_000)] + ending.actions))
        let warmUp = Exchange(
            method: "GET", url: "http://127.0.0.1:\(server.port)/", pool: pool)
        #expect(await transport.perform(warmUp).failure == nil)
        return server
    }

    /// Returns the records of an exchange and, if it can be resent, of another one.
    private func performTwice(_ exchange: Exchange) async -> [ExchangeRecorder.Record] {
        let first = await transport.perform(exchange)
        guard first.failure?.isResendable == true else { return [first] }
        return [first, await transport.perform(exchange.with { $0.connectsAnew = true })]
    }

    @Test(
        "a PUT is resent once and completely if its body allows it (RFC 9110 section 9.2.2)",
        arguments: Ending.allCases, [Source.memory, .replayable])
    func put(_ ending: Ending, _ source: Source) async throws {
        let server = try await server(ending)
        let records = await performTwice(exchange("PUT", source, server))
        let record = try #require(records.last)
        #expect(record.failure == nil)
        #expect(String(decoding: record.body, as: UTF8.self) == "good")
        #expect(record.ends.first?.metrics.isConnectionReused == false)
        #expect(record.sentCounts.last == Int64(Self.bytes.count))
        let head = try #require(server.requests.last { $0.method == "PUT" }).headSize
        let metrics = records.compactMap(\.ends.first?.metrics)
        let sent = metrics.reduce(0) { $0 + $1.requestHeaderBytes }
        // Each attempt is counted, as an exchange or as one of libcurl's own.
        #expect(metrics.reduce(0) { $0 + 1 + $1.resendCount } == 2)
        // Newer versions count everything they sent, without the share of the body.
        #expect(LibcurlQuirks.current.countsBodyInRequestSize ? sent >= 2 * head : sent == 2 * head)
        #expect(server.counters.acceptedConnections == 2)
        let bodies = server.requests.filter { $0.method == "PUT" }.map(\.body)
        let isSame = bodies == [Self.bytes]
        #expect(isSame)
    }

    @Test(
        "a PUT whose body can be read only once requests another", arguments: Ending.allCases)
    func once(_ ending: Ending) async throws {
        let server = try await server(ending)
        let record = await transport.perform(exchange("PUT", .once, server))
        #expect(
            record.failure?.needsNewBodyStream == true || record.failure?.isResendable == true)
        #expect(server.requests.count == 1)
    }

    @Test(
        "a POST is never resent", arguments: Ending.allCases, Source.allCases)
    func post(_ ending: Ending, _ source: Source) async throws {
        let server = try await server(ending)
        let record = await transport.perform(exchange("POST", source, server))
        #expect(record.failure?.code == .networkConnectionLost)
        let next = Exchange(method: "GET", url: "http://127.0.0.1:\(server.port)/", pool: pool)
        #expect(await transport.perform(next).failure == nil)
        #expect(server.requests.map(\.method) == ["GET", "GET"])
    }

    @Test("a PUT lost on a new connection is not resent")
    func new() async throws {
        let server = try FaultServer(
            FaultScript([.receive(20_000)] + Ending.endThenReset.actions))
        let record = await transport.perform(exchange("PUT", .memory, server))
        #expect(record.failure?.code == .networkConnectionLost)
        #expect(server.counters.acceptedConnections == 1)
    }

    @Test("a PUT is resent on a new connection, not on another idle one")
    func newConnection() async throws {
        let kept: [FaultAction] = [.request, .await(signals: 1), .answer, .receive(20_000)]
        let server = try FaultServer(
            FaultScript(repeating: kept + Ending.endThenReset.actions, count: 3))
        let warmUp = Exchange(
            method: "GET", url: "http://127.0.0.1:\(server.port)/", pool: pool)
        let warmUps = (0..<3).map { _ in transport.begin(warmUp).recorder }
        #expect(server.wait(upTo: 10_000) { $0.requests == 3 })
        server.signal()
        for recorder in warmUps { #expect(await recorder.atEnd.failure == nil) }
        #expect(await performTwice(exchange("PUT", .memory, server)).last?.failure == nil)
        #expect(server.counters.acceptedConnections == 4)
        // If libcurl notices the end of the connection, it resends the request itself.
        guard LibcurlQuirks.current.ignoresEndWhileSending else { return }
        #expect(server.wait(upTo: 10_000) { $0.openConnections == 3 })
    }

    @Test("a PUT whose response has started is not resent")
    func answered() async throws {
        let server = try FaultServer(
            FaultScript(
                [.request, .answer, .receive(20_000), .send("HTTP/1.1 103 Early Hints\r\n\r\n")]
                    + Ending.endThenReset.actions))
        let warmUp = Exchange(
            method: "GET", url: "http://127.0.0.1:\(server.port)/", pool: pool)
        #expect(await transport.perform(warmUp).failure == nil)
        let record = await transport.perform(exchange("PUT", .memory, server))
        #expect(record.failure?.code == .networkConnectionLost)
        #expect(server.counters.acceptedConnections == 1)
    }

    @Test("a PUT lost again on its new connection fails")
    func twice() async throws {
        let end = Ending.endThenReset.actions
        let server = try FaultServer(
            FaultScript(
                [.request, .answer, .receive(20_000)] + end, [.receive(20_000)] + end))
        let warmUp = Exchange(
            method: "GET", url: "http://127.0.0.1:\(server.port)/", pool: pool)
        #expect(await transport.perform(warmUp).failure == nil)
        let records = await performTwice(exchange("PUT", .memory, server))
        #expect(records.last?.failure?.code == .networkConnectionLost)
        #expect(records.last?.failure?.isResendable == false)
        #expect(server.counters.acceptedConnections == 2)
    }

    @Test(
        "a request that starts when its connection is closed is sent once, on a new one",
        arguments: ["PUT", "POST"])
    func before(_ method: String) async throws {
        let server = try FaultServer(FaultScript([.request, .answer, .await(signals: 1), .reset]))
        let warmUp = Exchange(
            method: "GET", url: "http://127.0.0.1:\(server.port)/", pool: pool)
        #expect(await transport.perform(warmUp).failure == nil)
        let other = try FixtureServer()
        let loop = await BlockedLoop(of: transport, with: other)
        server.signal()
        #expect(server.wait(upTo: 10_000) { $0.openConnections == 0 })
        let (recorder, _) = transport.begin(exchange(method, .once, server))
        loop.letGo()
        #expect(await recorder.atEnd.failure == nil)
        #expect(server.requests.map(\.method) == ["GET", method])
    }
}

extension FixtureRequest {
    /// The size of the request's head as libcurl writes it.
    fileprivate var headSize: Int64 {
        let lines = headers.map { "\($0.name): \($0.value)\r\n" }
        let head = "\(method) \(target) HTTP/1.1\r\n" + lines.joined() + "\r\n"
        return Int64(head.utf8.count)
    }
}
