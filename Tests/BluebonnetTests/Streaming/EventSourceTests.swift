import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("Events that continue after a connection has ended", .timeLimit(.minutes(10)))
struct EventSourceTests {
    private let clock = ManualClock()
    private let stub = StubTransport()
    private let manager: HTTPSessionManager

    init() {
        var configuration = SessionConfiguration()
        configuration.clock = clock
        manager = HTTPSessionManager(
            baseURL: URL(string: "http://h/"), configuration: configuration, transport: stub)
    }

    private static func events(_ text: String) -> StubResponse {
        .data(Data(text.utf8), type: "text/event-stream")
    }

    /// The data of all events until the source ends, and the error that ends it.
    private func read(_ source: EventSource) async -> ([String], BluebonnetError?) {
        let found = Locked<[String]>([])
        do {
            try await clock.run {
                for try await event in source { found.withLock { $0.append(event.data) } }
            }
            return (found.withLock { $0 }, nil)
        } catch {
            return (found.withLock { $0 }, error as? BluebonnetError)
        }
    }

    private func answer(_ responses: StubResponse...) {
        stub.on("/feed") { request in
            request.number <= responses.count ? responses[request.number - 1] : .status(204)
        }
    }

    @Test("another connection names the last event, and a status of 204 ends the loop")
    func lastEventID() async {
        answer(
            Self.events("id: 1\ndata: a\n\n"), Self.events("data: b\n\nid: 3\n\n"),
            Self.events("id\ndata: c\n\n"))
        let source = manager.eventSource("feed")
        let (data, error) = await read(source)
        #expect(data == ["a", "b", "c"] && error == nil)
        let requests = stub.requests
        #expect(requests.map { $0.headers["Last-Event-ID"] } == [nil, "1", "3", nil])
        #expect(requests.allSatisfy { $0.headers["Accept"] == "text/event-stream" })
        guard case .closed(nil) = source.state else {
            Issue.record("\(source.state)")
            return
        }
        #expect(await read(source).0 == [])
        #expect(stub.requests.count == 4)
    }

    @Test("an event that breaks off is read from the next connection, and not before")
    func brokenEvent() async {
        answer(
            Self.events("id: 1\ndata: a\n\nid: 2\ndata: bcd\n\n").cut(after: 27),
            Self.events("id: 2\ndata: bcd\n\n"))
        #expect(await read(manager.eventSource("feed")).0 == ["a", "bcd"])
        #expect(stub.requests[1].headers["Last-Event-ID"] == "1")
    }

    @Test("it waits as long as the server says, and longer after each failure in a row")
    func delays() async {
        answer(
            Self.events("retry: 500\ndata: a\n\n"), .failure(.cannotConnectToHost),
            .failure(.networkConnectionLost), Self.events(""),
            .status(503).header("Retry-After", "40"), Self.events("data: b\n\n"))
        let delays = Locked<[Double]>([])
        let source = manager.eventSource("feed") { state in
            if case .waiting(let delay, _) = state {
                delays.withLock { $0.append(delay / .seconds(1)) }
            }
        }
        #expect(await read(source).0 == ["a", "b"])
        let least = [0.5, 0.5, 1, 2, 40, 0.5]
        let all = delays.withLock { $0 }
        #expect(all.count == 6)
        for (delay, bound) in zip(all, least) {
            #expect(delay >= bound && delay <= bound * 1.5, "\(all)")
        }
    }

    @Test("the policy bounds what a server may ask for")
    func bounds() async {
        answer(
            Self.events("retry: 31536000000\ndata: a\n\n"), Self.events("retry: 0\ndata: b\n\n"),
            .status(503).header("Retry-After", "9999999"),
            .status(503).header("Retry-After", "9"), .status(503).header("Retry-After", "10"))
        var policy = EventSource.Policy()
        policy.minimumDelay = .seconds(2)
        policy.maximumDelay = .seconds(10)
        let delays = Locked<[Double]>([])
        let source = manager.eventSource("feed", policy: policy) { state in
            if case .waiting(let delay, _) = state {
                delays.withLock { $0.append(delay / .seconds(1)) }
            }
        }
        #expect(await read(source).0 == ["a", "b"])
        let all = delays.withLock { $0 }
        #expect(
            all.count == 5 && (7.5...10).contains(all[0]) && (2...3).contains(all[1])
                && (10...12.5).contains(all[2]) && (9...11.25).contains(all[3])
                && (10...12.5).contains(all[4]), "\(all)")
        // So that not all clients return at once.
        #expect(Set(all).count == all.count)
    }

    @Test(
        "what another connection would not change fails the loop",
        arguments: [
            StubResponse.status(404), .status(500), .text("no events"), .status(201),
            .failure(Exchange.Failure(certificateFault: .init(check: .hostName, host: "h"))),
        ])
    func final(response: StubResponse) async {
        answer(Self.events("data: a\n\n"), response)
        let source = manager.eventSource("feed")
        let (data, error) = await read(source)
        #expect(data == ["a"] && error != nil && stub.requests.count == 2)
        guard case .closed(.some) = source.state else {
            Issue.record("\(source.state)")
            return
        }
    }

    @Test("it gives up after the failures that the policy allows, with the last error")
    func givesUp() async {
        stub.on("/feed", .failure(.cannotConnectToHost))
        var policy = EventSource.Policy()
        policy.maximumFailures = 3
        let (data, error) = await read(manager.eventSource("feed", policy: policy))
        #expect(data == [] && error?.urlError.code == .cannotConnectToHost)
        #expect(stub.requests.count == 4)
    }

    @Test("a server that is silent for the idle timeout is connected to again")
    func stall() async {
        answer(Self.events("data: a\n\ndata: b\n\n").stalled(after: 9), Self.events("data: c\n\n"))
        #expect(await read(manager.eventSource("feed")).0 == ["a", "c"])
    }

    @Test(
        "leaving the loop ends the connection, and another loop goes on after the last event read")
    func leaving() async throws {
        answer(
            Self.events("id: 1\ndata: a\n\nid: 2\ndata: b\n\n").stalled(after: 32),
            Self.events("id: 2\ndata: b\n\n"))
        let source = manager.eventSource("feed")
        for try await event in source {
            #expect(event.data == "a" && source.lastEventID == "1")
            break
        }
        #expect(await until { manager.tasks.isEmpty })
        guard case .idle = source.state else {
            Issue.record("\(source.state)")
            return
        }
        #expect(await read(source).0 == ["b"])
        #expect(stub.requests[1].headers["Last-Event-ID"] == "1")
    }

    @Test("a cancel of the Swift task ends the loop at once, also between two connections")
    func cancelled() async throws {
        answer(Self.events("data: a\n\n"), .failure(.cannotConnectToHost))
        let source = manager.eventSource("feed")
        let reader = Task { () -> BluebonnetError? in
            do throws(BluebonnetError) {
                for try await _ in source {}
                return nil
            } catch {
                return error
            }
        }
        #expect(
            await until {
                if case .waiting = source.state { true } else { false }
            })
        reader.cancel()
        #expect(await reader.value?.isCancelled == true)
        guard case .idle = source.state else {
            Issue.record("\(source.state)")
            return
        }
        #expect(await read(source).0 == [])
    }

    @Test("a loop that begins later takes over, and the former one gets an error that says so")
    func twoLoops() async throws {
        answer(Self.events("data: a\n\n").stalled(after: 9))
        let source = manager.eventSource("feed")
        var first = source.makeAsyncIterator()
        #expect(try await first.next()?.data == "a")
        var second = source.makeAsyncIterator()
        #expect(try await second.next() == nil)
        let error = await #expect(throws: BluebonnetError.self) { try await first.next() }
        #expect("\(error.map { "\($0)" } ?? "")".contains("another loop reads the events"))
        #expect(await until { manager.tasks.isEmpty })
    }

    @Test("a loop that begins while another one waits gets the error, and the other one goes on")
    func loopBesideWaitingOne() async throws {
        let gate = Locked<CheckedContinuation<Void, Never>?>(nil)
        stub.on("/feed") { request in
            guard request.number == 1 else { return .status(204) }
            await withCheckedContinuation { continuation in gate.withLock { $0 = continuation } }
            return Self.events("data: a\n\n")
        }
        let source = manager.eventSource("feed")
        let first = Task {
            var loop = source.makeAsyncIterator()
            return try await loop.next()?.data
        }
        #expect(await until { gate.withLock { $0 != nil } })
        await #expect(throws: BluebonnetError.self) {
            for try await _ in source {}
        }
        gate.withLock { $0 }?.resume()
        #expect(try await first.value == "a")
        #expect(await until { manager.tasks.isEmpty })
    }

    @Test("an id that no field can have is not sent")
    func unsendableID() async {
        answer(Self.events("id: a\u{01}\ndata: a\n\n"), Self.events("id: ü\ndata: b\n\n"))
        #expect(await read(manager.eventSource("feed")).0 == ["a", "b"])
        #expect(stub.requests.map { $0.headers["Last-Event-ID"] } == [nil, nil, "ü"])
    }

    @Test("an adapter that fails because of the network has the source connect again")
    func adapterOffline() async {
        struct Offline: RequestInterceptor {
            let calls = Locked(0)
            let manager: HTTPSessionManager
            func adapt(
                _ urlRequest: URLRequest, using state: RequestAdapterState
            ) async throws -> URLRequest {
                let number = calls.withLock { calls in
                    calls += 1
                    return calls
                }
                if number == 2 { _ = try await manager.get("http://token/") }
                return urlRequest
            }
        }
        stub.on("http://token/", .failure(.notConnectedToInternet))
        stub.on(
            "/feed", Self.events("data: a\n\n"), Self.events("data: b\n\n"), .status(204))
        let refreshing = HTTPSessionManager(
            baseURL: URL(string: "http://h/"), configuration: manager.configuration, transport: stub
        )
        refreshing.interceptors = [Offline(manager: manager)]
        let (data, error) = await read(refreshing.eventSource("feed"))
        #expect(data == ["a", "b"], "\(String(describing: error))")
    }

    @Test("a feed of comments alone is no failure, however often its connection ends")
    func comments() async {
        stub.on("/feed") { request in
            request.number <= 20 ? Self.events(": still here\n\n") : .status(204)
        }
        var policy = EventSource.Policy()
        policy.maximumFailures = 1
        let start = clock.now
        #expect(await read(manager.eventSource("feed", policy: policy)).1 == nil)
        #expect(clock.now - start < .seconds(20 * 4.5) && stub.requests.count == 21)
    }

    @Test(
        "over a day of closed, broken, silent and refused connections no event is lost or doubled")
    func day() async {
        let clock = clock
        let day = Duration.seconds(86_400)
        /// The server has a new event each minute.
        stub.on("/feed") { request in
            let last = request.headers["Last-Event-ID"].flatMap { Int($0) } ?? 0
            let newest = Int(min(clock.now, day) / .seconds(60))
            if last == newest, clock.now >= day { return .status(204) }
            let text = (last..<newest).map { "id: \($0 + 1)\ndata: \($0 + 1)\n\n" }.joined()
            switch request.number % 7 {
            case 1: return Self.events(text).cut(after: max(0, text.utf8.count - 4))
            case 2: return Self.events(text).stalled(after: text.utf8.count)
            case 3: return .status(503).header("Retry-After", "30")
            case 4: return .failure(.networkConnectionLost)
            case 5: return Self.events(text + "id: 999999\ndata: cut")
            case 6: return Self.events(": still here\n\n" + text).inPieces(of: 5)
            default: return Self.events(text)
            }
        }
        let (data, error) = await read(manager.eventSource("feed"))
        #expect(error == nil)
        #expect(data == (1...1440).map { "\($0)" })
        #expect(stub.requests.count > 1000)
    }
}
