import Bluebonnet
import BluebonnetTesting
import Foundation
import FoundationNetworking
import Testing

@Suite("Bounds of the bodies of refused responses", .timeLimit(.minutes(5)))
struct ErrorBodyLimitTests {
    enum Kind: CaseIterable, Sendable { case data, download, stream }

    private let clock = ManualClock()
    private let stub = StubTransport()

    private func manager(
        _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) -> HTTPSessionManager {
        var configuration = SessionConfiguration()
        configuration.clock = clock
        configuration.timeouts.idle = nil
        change(&configuration)
        return HTTPSessionManager(
            baseURL: URL(string: "http://a.test/"), configuration: configuration, transport: stub)
    }

    /// Requests `a`, and returns the error.
    private func error(
        of kind: Kind, on manager: HTTPSessionManager, _ options: RequestOptions = []
    ) async -> BluebonnetError? {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
        return await clock.run {
            do throws(BluebonnetError) {
                switch kind {
                case .data: _ = try await manager.get("a", options: options)
                case .download: _ = try await manager.download("a", to: file, options: options)
                case .stream: _ = try await manager.stream("a", options: options)
                }
                return nil
            } catch {
                return error
            }
        }
    }

    private static func refusal(_ count: Int, status: Int = 500) -> StubResponse {
        .data(Data((0..<count).map { UInt8(truncatingIfNeeded: $0 / 3) }), status: status)
    }

    @Test(
        "the body of a refused download or stream is cut at its limit, and the error is the status",
        arguments: [Kind.download, .stream], [true, false])
    func size(kind: Kind, isDeclared: Bool) async throws {
        let body = Self.refusal(1000)
        let chunked = body.header("Transfer-Encoding", "chunked")
        for (limit, isCut) in [(0, true), (333, true), (999, true), (1000, false), (2000, false)] {
            stub.on("/a", (isDeclared ? body : chunked).inPieces(of: 100))
            let manager = manager { $0.maximumErrorBodySize = limit }
            let error = try #require(await error(of: kind, on: manager))
            guard case .unacceptableStatus(500, let context) = error else {
                Issue.record("\(error)")
                continue
            }
            #expect(context.data?.count ?? 0 == min(limit, 1000))
            #expect(
                (0..<1000).map { UInt8(truncatingIfNeeded: $0 / 3) }.starts(
                    with: context.data ?? Data()))
            #expect(context.isDataCut == isCut)
        }
    }

    @Test("one large piece with the end of the response is cut, too")
    func onePiece() async throws {
        stub.on("/a", Self.refusal(5_000_000))
        for kind in [Kind.download, .stream] {
            let error = try #require(await error(of: kind, on: manager()))
            #expect(error.context.data?.count == 1024 * 1024 && error.context.isDataCut)
            #expect(error.context.head?.statusCode == 500)
        }
    }

    @Test("a body in memory is bounded like any body")
    func memory() async throws {
        stub.on("/a", Self.refusal(1000).inPieces(of: 10, every: .seconds(1)))
        let whole = try #require(
            await error(
                of: .data,
                on: manager { ($0.maximumErrorBodySize, $0.errorBodyTimeout) = (10, 1) }))
        #expect(whole.context.data?.count == 1000 && !whole.context.isDataCut)
        let refused = try #require(
            await error(of: .data, on: manager { $0.maximumResponseBodySize = 500 }))
        #expect(refused.limit == .bodySize)
    }

    @Test(
        "a refused body that trickles or stalls is cut after five seconds",
        arguments: [Kind.download, .stream], [true, false])
    func time(kind: Kind, stalls: Bool) async throws {
        let body = Self.refusal(1000).inPieces(of: 10, every: .milliseconds(900))
        stub.on("/a", stalls ? Self.refusal(1000).stalled(after: 50) : body)
        let error = try #require(await error(of: kind, on: manager()))
        guard case .unacceptableStatus(500, let context) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(context.data?.count == 50 && context.isDataCut && !error.isTimeout)
        #expect(clock.now == .seconds(5))
        #expect(error.description.contains("the body, cut after 50 bytes, begins with"))
        #expect(clock.pendingCount == 0)
    }

    @Test("the time can be set, and nil is no limit")
    func settings() async throws {
        stub.on("/a", Self.refusal(100).inPieces(of: 10, every: .seconds(1)))
        let short = try #require(
            await error(of: .stream, on: manager { $0.errorBodyTimeout = 2.5 }))
        #expect(short.context.data?.count == 20 && short.context.isDataCut)
        #expect(clock.now == .seconds(2.5))
        let endless = try #require(
            await error(of: .stream, on: manager { $0.errorBodyTimeout = nil }))
        #expect(endless.context.data?.count == 100 && !endless.context.isDataCut)
    }

    @Test("an idle timeout in the body of a refused response leaves the status as the error")
    func idle() async throws {
        stub.on("/a", Self.refusal(1000, status: 404).stalled(after: 50))
        for kind in [Kind.download, .stream] {
            let error = try #require(
                await error(of: kind, on: manager { $0.timeouts.idle = 2 }))
            guard case .unacceptableStatus(404, let context) = error else {
                Issue.record("\(error)")
                continue
            }
            #expect(context.data?.count == 50 && context.isDataCut)
            #expect((context.underlying as? BluebonnetError)?.timeout == .idle)
        }
    }

    @Test("the time goes on while the task is suspended")
    func suspended() async throws {
        stub.on("/a", Self.refusal(100).inPieces(of: 10, every: .seconds(1)))
        let manager = manager()
        let url = try #require(URL(string: "http://a.test/a"))
        let (errors, told) = AsyncStream.makeStream(of: BluebonnetError?.self)
        let task = manager.downloadTask(with: URLRequest(url: url), destination: nil) {
            told.yield($0.error)
        }
        task.resume()
        await clock.advance(by: .seconds(2))
        task.suspend()
        await clock.advance(by: .seconds(3))
        for await error in errors {
            #expect(error?.context.head?.statusCode == 500 && error?.context.isDataCut == true)
            break
        }
        #expect(clock.now == .seconds(5))
    }

    @Test("retriers are asked after the cut", arguments: [Kind.download, .stream])
    func retry(kind: Kind) async throws {
        stub.on("/a") { request in
            request.number < 3
                ? Self.refusal(1000, status: 503).stalled(after: 50) : .data(Data("x".utf8))
        }
        let manager = manager()
        let seen = Seen()
        manager.interceptors = [seen]
        let error = await error(of: kind, on: manager)
        #expect(error == nil, "\(String(describing: error))")
        #expect(await seen.bodies.map(\.count) == [50, 50])
        #expect(clock.now == .seconds(10))
    }

    @Test("a refused content type stays refused if the body was cut before its first byte")
    func contentType() async throws {
        stub.on("/a", StubResponse.text("abc").stalled(after: 0))
        let manager = manager()
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
        await #expect {
            try await clock.run {
                _ = try await manager.download(
                    "a", validatedBy: JSONResponseSerializer(), to: file)
            }
        } throws: {
            guard case .unacceptableContentType? = $0 as? BluebonnetError else { return false }
            return true
        }
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test("a cancel during the body of a refused response cancels the task")
    func cancel() async throws {
        stub.on("/a", Self.refusal(1000).stalled(after: 50))
        let manager = manager()
        let url = try #require(URL(string: "http://a.test/a"))
        let (errors, told) = AsyncStream.makeStream(of: BluebonnetError?.self)
        let task = manager.downloadTask(with: URLRequest(url: url), destination: nil) {
            told.yield($0.error)
        }
        task.resume()
        await clock.advance(by: .seconds(2))
        task.cancel()
        for await error in errors {
            #expect(error?.isCancelled == true)
            break
        }
        await clock.idle()
        #expect(clock.pendingCount == 0)
    }

    @Test("a redirect whose body trickles is followed after five seconds")
    func redirect() async throws {
        stub.on(
            "/a",
            StubResponse(302, headers: ["Location": "/b"], body: Data(count: 1000))
                .inPieces(of: 10, every: .milliseconds(900)))
        stub.on("/b", .data(Data("there".utf8)))
        let manager = manager()
        let data = try await clock.run { try await manager.get("a") }
        #expect(data == Data("there".utf8))
        #expect(clock.now == .seconds(5))
    }
}

/// Retries each failure, and keeps the bodies.
private actor Seen: RequestInterceptor {
    var bodies: [Data] = []

    func retry(
        _ request: Request, for session: Session, dueTo error: any Error
    ) async -> RetryResult {
        bodies.append((error as? BluebonnetError)?.context.data ?? Data())
        return .retry
    }
}
