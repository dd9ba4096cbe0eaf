import Bluebonnet
import BluebonnetTestSupport
import BluebonnetTesting
import Testing

@Suite("Delays of stubs on the clock", .timeLimit(.minutes(1)))
struct StubTimeTests {
    private let stub = StubTransport()
    private let clock = ManualClock()

    private func api(
        _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) -> HTTPSessionManager {
        var configuration = SessionConfiguration()
        configuration.clock = clock
        change(&configuration)
        return HTTPSessionManager(
            baseURL: URL(string: "https://a.test/"), configuration: configuration, transport: stub)
    }

    private func upload() throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: "https://a.test/upload")))
        request.httpMethod = "POST"
        return request
    }

    /// Pieces that arrive every ten seconds on the clock.
    private struct SlowPieces: AsyncSequence, AsyncIteratorProtocol {
        let clock: ManualClock
        var count = 0
        var whenEnded: @Sendable () -> Void = {}

        func makeAsyncIterator() -> Self { self }

        mutating func next() async throws -> Data? {
            guard count > 0 else { return nil }
            count -= 1
            do {
                try await clock.sleep(for: .seconds(10))
            } catch {
                whenEnded()
                throw error
            }
            return Data("a".utf8)
        }
    }

    @Test("a body whose source waits for the clock does not stop the time")
    func slowBody() async throws {
        stub.on(.post, "/upload") { .text($0.text) }
        let api = api()
        let (request, pieces) = (try upload(), SlowPieces(clock: clock, count: 3))
        let response = await clock.run {
            await api.upload(for: request, from: pieces, serializer: StringResponseSerializer())
        }
        #expect(response.value == "aaa" && clock.now == .seconds(30))
    }

    @Test("a cancel releases a body that takes too long, and the time advances")
    func endlessBody() async throws {
        stub.on(.post, "/upload", .text("a"))
        let isLetGo = Locked(false)
        let pieces = SlowPieces(clock: clock, count: 1000) { isLetGo.withLock { $0 = true } }
        let (api, request) = (api(), try upload())
        let task = api.uploadTask(
            with: request, from: pieces, serializer: StringResponseSerializer()
        ) { _ in }
        task.resume()
        await clock.advance(by: .seconds(25))
        task.cancel()
        await clock.idle()
        #expect(task.error?.isCancelled == true && isLetGo.withLock { $0 })
        #expect(stub.requests.isEmpty && clock.pendingCount == 0)
    }

    @Test("timeouts run while a route answers, and cancel its closure")
    func slowAnswer() async {
        let wasCancelled = Locked(false)
        stub.on("/a") { [clock] _ in
            do {
                try await clock.sleep(for: .seconds(100))
            } catch {
                wasCancelled.withLock { $0 = true }
            }
            return .text("late")
        }
        let api = api { ($0.timeouts.head, $0.timeouts.idle) = (20, 60) }
        let error = await clock.run {
            await #expect(throws: BluebonnetError.self) { try await api.text("a") }
        }
        #expect(error?.timeout == .head && clock.now == .seconds(20))
        await clock.idle()
        #expect(wasCancelled.withLock { $0 } && clock.pendingCount == 0)
    }

    @Test("timeouts restart when a route has answered")
    func answerInTime() async throws {
        stub.on("/a") { [clock] _ in
            try await clock.sleep(for: .seconds(15))
            return .text("ab").inPieces(of: 1, every: .seconds(15))
        }
        let api = api { $0.timeouts.idle = 20 }
        #expect(try await clock.run { try await api.text("a") } == "ab")
        await clock.idle()
        #expect(clock.now == .seconds(45) && clock.pendingCount == 0)
    }
}
