import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation
import FoundationNetworking
import Testing

@testable import BluebonnetTransport

/// Each timeout against a server that stays silent in the stage that it limits.
///
/// `BLUEBONNET_TIMING=strict` also checks how late each timeout comes, for which the machine must be
/// idle.
@Suite("The accuracy of timeouts", .timeLimit(.minutes(5)))
struct TimeoutAccuracyTests {
    private static let limit = 1.0

    /// The limit on lateness: a tenth and 50 ms, or less than twice the time on a busy machine.
    private static let latest =
        ProcessInfo.processInfo.environment["BLUEBONNET_TIMING"] == "strict"
        ? limit * 1.1 + 0.05 : limit * 1.9

    enum Body: CaseIterable, Sendable {
        case none, small, large, stream, streamWithoutLength
    }

    private let silent: RawServer
    private let transport = CurlTransport()
    private let pool = Exchange.Pool(maximumConnectionsPerHost: 1)
    /// Accepts connections and reads, so that bodies can be sent, but does not answer.
    private let release = DispatchSemaphore(value: 0)

    init() throws {
        let release = release
        silent = try RawServer { connection, _ in
            connection.readHead()
            connection.read(10_000_000)
            release.wait()
        }
    }

    private func exchange(_ body: Body, _ timeouts: Exchange.Timeouts) -> Exchange {
        Exchange(
            method: body == .none ? "GET" : "POST", url: silent.baseURL + "/", pool: pool
        ).with {
            $0.timeouts = timeouts
            $0.body = Self.body(body)
        }
    }

    private static func body(_ kind: Body) -> Exchange.Body? {
        switch kind {
        case .none: nil
        case .small: .data(Data("small".utf8))
        case .large: .data(Data(count: 3_000_000))
        case .stream, .streamWithoutLength:
            .stream(
                Exchange.BodyStream(
                    length: kind == .stream ? 3_000_000 : nil, isReplayable: true,
                    open: { Zeros(count: 3_000_000) }))
        }
    }

    private func check(
        _ exchange: Exchange, _ timeout: Exchange.Failure.Timeout,
        location: SourceLocation = #_sourceLocation
    ) async throws {
        let record = await transport.perform(exchange)
        let failure = try #require(record.failure, sourceLocation: location)
        #expect(failure.timeout == timeout, "\(failure)", sourceLocation: location)
        let passed = try #require(record.ends.first).metrics.totalDuration
        #expect(passed >= Self.limit, sourceLocation: location)
        #expect(passed <= Self.latest, "\(failure) after \(passed) s", sourceLocation: location)
        if passed <= Self.limit * 1.1 + 0.05 {
            #expect(failure.message.contains("\(Self.limit) seconds"), sourceLocation: location)
        }
    }

    @Test(
        "a timeout that a silent server exceeds comes neither early nor late, whatever the body",
        arguments: [Exchange.Failure.Timeout.idle, .head, .whole], Body.allCases)
    func silence(timeout: Exchange.Failure.Timeout, body: Body) async throws {
        defer { release.signal() }
        var timeouts = Exchange.Timeouts(idle: 30)
        switch timeout {
        case .idle: timeouts.idle = Self.limit
        case .head: timeouts.head = Self.limit
        default: timeouts.whole = Self.limit
        }
        try await check(exchange(body, timeouts), timeout)
    }

    @Test(
        "so does the idle timeout of a request that the server does not read", arguments: [1, 20])
    func unread(megabytes: Int) async throws {
        let release = release
        let server = try RawServer { _, _ in release.wait() }
        defer { release.signal() }
        var exchange = Exchange(method: "POST", url: server.baseURL, pool: pool)
        exchange.body = .data(Data(count: megabytes << 20))
        exchange.timeouts.idle = Self.limit
        try await check(exchange, .idle)
    }

    // Of a larger body that is not read, the system takes more bytes after a while.
    @Test("so does the idle timeout in the middle of a response", arguments: [Body.none, .small])
    func response(body: Body) async throws {
        let release = release
        let server = try RawServer { connection, _ in
            connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")
            release.wait()
        }
        defer { release.signal() }
        let exchange = exchange(body, .init(idle: Self.limit)).with { $0.url = server.baseURL }
        try await check(exchange, .idle)
    }

    @Test("so do the timeouts of waiting for a connection", arguments: [false, true])
    func queue(stalls: Bool) async throws {
        defer { release.signal() }
        let (_, holder) = transport.begin(exchange(.small, .init()))
        defer { holder.cancel() }
        #expect(await SystemSockets.settles { silent.acceptedCount == 1 })
        let timeouts =
            stalls
            ? Exchange.Timeouts(queueStall: Self.limit) : Exchange.Timeouts(queue: Self.limit)
        try await check(exchange(.none, timeouts), stalls ? .queueStall : .queue)
    }

    @Test("so does the timeout of waiting for connections whose responses are not read")
    func unreadResponses() async throws {
        let server = try FixtureServer()
        server.route("/large") { _ in .text(String(repeating: "x", count: 8_000_000)) }
        let large = Exchange(method: "GET", url: server.baseURL + "/large", pool: pool)
        let (recorder, holder) = transport.begin(large.with { $0.receiveWindow = 100_000 })
        defer { holder.cancel() }
        #expect(await SystemSockets.settles { recorder.now.body.count >= 100_000 })
        try await check(large.with { $0.timeouts.queueStall = Self.limit }, .queueStall)
    }

    @Test("so does the connect timeout, without an answer and during a TLS handshake")
    func connect() async throws {
        let listener = try FullListener()
        var exchange = Exchange(
            method: "POST", url: "http://127.0.0.1:\(listener.port)/", pool: pool)
        exchange.body = .data(Data("small".utf8))
        exchange.timeouts.connect = Self.limit
        try await check(exchange, .connect)
        defer { release.signal() }
        exchange.url = "https://127.0.0.1:\(silent.port)/"
        try await check(exchange, .connect)
    }

    @Test("bytes of a line that is not complete are data, and so is a slow TLS handshake")
    func unfinishedLine() async throws {
        let server = try RawServer { connection, _ in
            connection.readHead()
            for byte in "HTTP/1.1 204 No Content" {
                connection.send(String(byte))
                usleep(20_000)
            }
            connection.send("\r\n\r\n")
        }
        var exchange = Exchange(method: "GET", url: server.baseURL, pool: pool)
        exchange.timeouts.idle = 0.2
        #expect(await transport.perform(exchange).failure == nil)
        exchange.timeouts.head = 0.3
        #expect(await transport.perform(exchange).failure?.timeout == .head)
    }
}

/// A source of zeros.
// @unchecked: one thread at a time uses it.
private final class Zeros: BodySource, @unchecked Sendable {
    private var left: Int

    init(count: Int) { left = count }

    func read(upTo count: Int) -> Data {
        defer { left -= min(left, count) }
        return Data(count: min(left, count))
    }
}
