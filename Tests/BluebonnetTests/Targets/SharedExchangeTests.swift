import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet
import BluebonnetTargets

@Suite("Exchanges shared by calls", .timeLimit(.minutes(2)))
struct SharedExchangeTests {
    private let transport = ManualTransport()
    private let log = Recorder<String>()
    private let manager: HTTPSessionManager

    init() {
        manager = HTTPSessionManager(transport: transport)
    }

    private func provider(
        _ plugins: any PluginType..., methods: Set<HTTPMethod> = [.get, .head]
    ) -> TargetProvider<TestTarget> {
        TargetProvider(
            session: manager, plugins: plugins, trackInflights: true, sharedMethods: methods)
    }

    private func send(
        _ provider: TargetProvider<TestTarget>, _ name: String = "",
        _ target: TestTarget = TestTarget()
    ) -> any Cancellable {
        provider.request(target) { [log] in log.add("\(name)\(NotingPlugin.text($0))") }
    }

    /// Waits until every prepared call has been sent or shares an exchange.
    private func settle() async {
        // After everything that the session has received so far.
        await withCheckedContinuation { continuation in
            manager.operationQueue.addOperation { continuation.resume() }
        }
    }

    @Test("equal requests share an exchange, and each call gets the response")
    func shared() async {
        let provider = provider()
        for name in ["a", "b", "c"] { _ = send(provider, name) }
        await transport.exchange().replyAtOnce(200, [:], "x")
        #expect(await log.wait(for: 3).sorted() == ["a200", "b200", "c200"])
        #expect(transport.exchanges.count == 1)
        _ = send(provider, "d")
        await transport.exchange(1).replyAtOnce(200, [:], "y")
        #expect(await log.wait(for: 4).last == "d200")
    }

    @Test("1,000 equal GETs use one exchange, and 1,000 POSTs use 1,000")
    func thousand() async {
        let provider = provider()
        for _ in 0..<1000 { _ = send(provider) }
        let first = await transport.exchange()
        first.replyAtOnce(200, [:], "x")
        let all = await log.wait(for: 1000)
        #expect(all.allSatisfy { $0 == "200" } && transport.exchanges.count == 1)

        let stub = StubRig()
        stub.stub.on("/**", .good)
        let posts = TargetProvider<TestTarget>(session: stub.manager, trackInflights: true)
        for _ in 0..<1000 { _ = send(posts, "", TestTarget { $0.method = .post }) }
        await log.wait(for: 2000)
        #expect(stub.stub.requests.count == 1000)
    }

    @Test("requests with different fields, methods, bodies or validations are not shared")
    func different() async {
        struct Users: PluginType {
            func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
                var request = request
                request.setValue(target.headers?["X-User"], forHTTPHeaderField: "Authorization")
                request.setValue(nil, forHTTPHeaderField: "X-User")
                return request
            }
        }
        let provider = provider(Users())
        let targets = [
            TestTarget { $0.headers = ["X-User": "a"] },
            TestTarget { $0.headers = ["X-User": "b"] },
            TestTarget { $0.method = .head }, TestTarget("b"),
            TestTarget { $0.validationType = .successCodes },
            TestTarget { $0.task = .requestData(Data("d".utf8)) },
            TestTarget { $0.task = .downloadDestination { url, _ in (url, []) } },
            TestTarget { $0.task = .downloadDestination { url, _ in (url, []) } },
        ]
        for target in targets { _ = send(provider, "", target) }
        for index in targets.indices {
            await transport.exchange(index).replyAtOnce(200, [:], "")
        }
        await log.wait(for: targets.count)
        #expect(transport.exchanges.count == targets.count)
    }

    @Test("calls with different credentials are not shared, even with equal requests")
    func credentials() async {
        let plugin = CredentialsPlugin { target in
            URLCredential(
                user: target.sampleData.isEmpty ? "a" : "b", password: "p", persistence: .none)
        }
        let provider = provider(plugin)
        for _ in 0..<2 {
            _ = send(provider, "", TestTarget { $0.sampleData = Data() })
            _ = send(provider, "", TestTarget { $0.sampleData = Data("b".utf8) })
        }
        for index in 0..<2 { await transport.exchange(index).replyAtOnce(200, [:], "") }
        #expect(await log.wait(for: 4).count == 4 && transport.exchanges.count == 2)
    }

    @Test("the given methods are shared, too")
    func namedMethods() async {
        let provider = provider(methods: [.post])
        for name in ["a", "b"] { _ = send(provider, name, TestTarget { $0.method = .post }) }
        await transport.exchange().replyAtOnce(200, [:], "")
        #expect(await log.wait(for: 2).sorted() == ["a200", "b200"])
        #expect(transport.exchanges.count == 1)
    }

    @Test("plugins process each call's result, and receive the response once")
    func plugins() async {
        let heard = Recorder<String>()
        let provider = provider(NotingPlugin(log: heard))
        for name in ["a", "b"] { _ = send(provider, name) }
        await transport.exchange().replyAtOnce(200, [:], "")
        #expect(await log.wait(for: 2).sorted() == ["a201", "b201"])
        let all = heard.all
        #expect(all.filter { $0 == "prepare" }.count == 2)
        #expect(all.filter { $0 == "send " }.count == 1)
        #expect(all.filter { $0 == "receive 200" }.count == 1)
        #expect(all.filter { $0 == "process 200" }.count == 2)
    }

    @Test("a canceled call, even the first, cancels only itself, and the last one the exchange")
    func cancels() async {
        let provider = provider()
        let calls = ["a", "b", "c"].map { send(provider, $0) }
        let transfer = await transport.exchange()
        await settle()
        calls[0].cancel()
        #expect(await log.wait(for: 1) == ["acancellation"])
        calls[1].cancel()
        #expect(await log.wait(for: 2).last == "bcancellation")
        #expect(!transfer.calls.all.contains(.cancel))
        calls[2].cancel()
        #expect(await log.wait(for: 3).last == "ccancellation")
        await transfer.calls.wait(for: 1)
        #expect(transfer.calls.all.contains(.cancel))
        _ = send(provider, "d")
        await transport.exchange(1).replyAtOnce(200, [:], "")
        #expect(await log.wait(for: 4).last == "d200")
    }

    @Test("the exchange of a canceled call continues for calls that joined it")
    func leaderCancelled() async {
        let provider = provider()
        let leader = send(provider, "a")
        let transfer = await transport.exchange()
        _ = send(provider, "b")
        await settle()
        leader.cancel()
        #expect(await log.wait(for: 1) == ["acancellation"])
        transfer.replyAtOnce(200, [:], "")
        #expect(await log.wait(for: 2).last == "b200" && transport.exchanges.count == 1)
    }

    @Test("failures and refusals reach all calls unchanged, without further attempts")
    func failures() async {
        let provider = provider()
        let asked = Recorder<Int>()
        manager.interceptors = [
            Retrier { request, _, _, completion in
                asked.add(request.retryCount)
                completion(request.retryCount == 0 ? .retry : .doNotRetry)
            }
        ]
        for name in ["a", "b"] {
            _ = send(provider, name, TestTarget { $0.validationType = .successCodes })
        }
        await transport.exchange().replyAtOnce(503, [:], "busy")
        await transport.exchange(1).replyAtOnce(500, [:], "broken")
        #expect(await log.wait(for: 2).sorted() == ["avalidation 500", "bvalidation 500"])
        for name in ["c", "d"] { _ = send(provider, name) }
        await transport.exchange(2).fail(.lost)
        await transport.exchange(3).fail(.lost)
        #expect(await log.wait(for: 4).suffix(2).sorted() == ["ctransport", "dtransport"])
        #expect(asked.all == [0, 1, 0, 1] && transport.exchanges.count == 4)
    }

    @Test("if the session cancels the first call, the others send their own requests")
    func sessionCancels() async {
        let provider = provider()
        _ = send(provider, "a")
        _ = await transport.exchange()
        _ = send(provider, "b")
        await settle()
        // The oldest task belongs to the first call.
        manager.tasks.min { $0.taskIdentifier < $1.taskIdentifier }?.cancel()
        #expect(await log.wait(for: 1) == ["acancellation"])
        await transport.exchange(1).replyAtOnce(200, [:], "")
        #expect(await log.wait(for: 2).last == "b200")
    }

    /// Counts adapted attempts minus ended ones.
    private struct Counting: RequestInterceptor {
        let open: Locked<Int>

        func adapt(_ urlRequest: URLRequest, for session: Session) async throws -> URLRequest {
            open.withLock { $0 += 1 }
            return urlRequest
        }

        func attemptDidEnd(_ attempt: EndedAttempt) { open.withLock { $0 -= 1 } }
    }

    @Test("each attempt of a call that joins and later sends its own request ends")
    func attempts() async {
        let counting = Counting(open: Locked(0))
        manager.interceptors = [counting]
        let provider = provider()
        _ = send(provider, "a")
        _ = await transport.exchange()
        _ = send(provider, "b")
        await settle()
        manager.tasks.min { $0.taskIdentifier < $1.taskIdentifier }?.cancel()
        await transport.exchange(1).replyAtOnce(200, [:], "")
        await log.wait(for: 2)
        // Interceptors receive the end of an attempt concurrently with the response.
        #expect(await until { counting.open.withLock { $0 } == 0 })
    }

    @Test("other calls do not wait for one that fails before it is sent")
    func failsEarly() async {
        struct Failing: PluginType {
            let fails: Locked<Bool>
            func prepare(
                _ request: URLRequest, target: any TargetType
            ) async throws -> URLRequest {
                if fails.withLock({ $0 }) { throw URLError(.badURL) }
                return request
            }
        }
        let plugin = Failing(fails: Locked(true))
        let provider = provider(plugin)
        _ = send(provider, "a")
        #expect(await log.wait(for: 1) == ["aURLError"])
        plugin.fails.withLock { $0 = false }
        _ = send(provider, "b")
        await transport.exchange().replyAtOnce(200, [:], "")
        #expect(await log.wait(for: 2).last == "b200")
    }
}
