import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet
import BluebonnetTargets

@Suite("Plugins of providers", .timeLimit(.minutes(1)))
struct PluginTests {
    private let rig = StubRig()
    private let log = Recorder<String>()

    private func provider(
        _ plugins: any PluginType..., trackInflights: Bool = false
    ) -> TargetProvider<TestTarget> {
        TargetProvider(
            session: rig.manager, plugins: plugins, trackInflights: trackInflights)
    }

    private func send(
        _ provider: TargetProvider<TestTarget>, _ target: TestTarget = TestTarget()
    ) async -> Result<TargetResponse, TargetError> {
        do throws(TargetError) {
            return .success(try await provider.request(target))
        } catch {
            return .failure(error)
        }
    }

    @Test("plugins are called in order, each with the result of the previous one")
    func order() async throws {
        rig.answer(.good)
        let result = await send(
            provider(NotingPlugin(name: "1", log: log), NotingPlugin(name: "2", log: log)))
        #expect(
            log.all == [
                "1prepare", "2prepare", "1send 12", "2send 12", "1receive 200", "2receive 200",
                "1process 200", "2process 201",
            ])
        #expect(try result.get().statusCode == 202)
        #expect(rig.stub.requests[0].headers["X-Plugins"] == "12")
    }

    @Test(
        "they prepare each attempt after the session's adapters, and receive one response")
    func retries() async throws {
        rig.answer(.init(503), .good)
        rig.manager.interceptors = [
            Interceptor(
                adapters: [
                    Adapter { request, _, completion in
                        var request = request
                        request.setValue("s", forHTTPHeaderField: "X-Plugins")
                        completion(.success(request))
                    }
                ],
                retriers: [Retrier { _, _, _, completion in completion(.retry) }])
        ]
        _ = await send(provider(NotingPlugin(name: "1", log: log)))
        #expect(
            log.all == [
                "1prepare", "1send s1", "1prepare", "1send s1", "1receive 200", "1process 200",
            ])
    }

    private struct Refused: Error {}

    private struct Waiting: PluginType {
        let fails: Bool

        func prepare(
            _ request: URLRequest, target: any TargetType
        ) async throws -> URLRequest {
            await Task.yield()
            if fails { throw Refused() }
            var request = request
            request.setValue("yes", forHTTPHeaderField: "X-Waited")
            return request
        }
    }

    @Test("a plugin can wait and fail, and all plugins and the caller get the error")
    func waits() async {
        rig.answer(.good)
        _ = await send(provider(Waiting(fails: false)))
        #expect(rig.stub.requests[0].headers["X-Waited"] == "yes")
        let result = await send(provider(Waiting(fails: true), NotingPlugin(log: log)))
        guard case .failure(.underlying(let error, nil)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(error is Refused && rig.stub.requests.count == 1)
        #expect(log.all == ["receive Refused", "process Refused"])
    }

    private struct Describing: PluginType {
        let log: Recorder<String>

        func willSend(_ request: any RequestType, target: any TargetType) {
            log.add(request.sessionHeaders["X-Session"] ?? "none")
            request.cURLDescription { [log] in log.add($0) }
        }
    }

    @Test("a request has its session's fields and its command line")
    func requestType() async throws {
        let rig = StubRig { $0.additionalHeaders["X-Session"] = "s" }
        rig.answer(.good)
        let provider = TargetProvider<TestTarget>(
            session: rig.manager, plugins: [Describing(log: log)])
        _ = await send(provider)
        let all = await log.wait(for: 2)
        #expect(all[0] == "s" && all[1].contains("http://stub.test/a"))
    }

    private struct Private: TargetType, AccessTokenAuthorizable {
        let baseURL = TestTarget().baseURL
        let path = "a"
        let method = HTTPMethod.get
        let task = TargetTask.requestPlain
        let headers: [String: String]? = ["Authorization": "old"]
        let authorizationType: AuthorizationType?
    }

    @Test("a token replaces an existing one in each attempt, for targets that need it")
    func token() async throws {
        rig.stub.on("/**", .good)
        let count = Locked(0)
        let plugin = AccessTokenPlugin { [log] target in
            log.add("\(type(of: target))")
            await Task.yield()
            return count.withLock { count in
                count += 1
                return "t\(count)"
            }
        }
        let provider = TargetProvider<MultiTarget>(session: rig.manager, plugins: [plugin])
        for type in [AuthorizationType.basic, .bearer, .custom("Own"), nil] {
            _ = try await provider.request(MultiTarget(Private(authorizationType: type)))
        }
        _ = try await provider.request(MultiTarget(TestTarget()))
        #expect(
            rig.stub.requests.map { $0.headers["Authorization"] } == [
                "Basic t1", "Bearer t2", "Own t3", "old", nil,
            ])
        #expect(log.all == ["Private", "Private", "Private"])
    }

    @Test("a token that cannot be obtained fails the call before it is sent")
    func noToken() async {
        let plugin = AccessTokenPlugin { _ in throw Refused() }
        let provider = TargetProvider<Private>(session: rig.manager, plugins: [plugin])
        await #expect {
            try await provider.request(Private(authorizationType: .bearer))
        } throws: { error in
            (error as? TargetError)?.underlyingError is Refused
        }
        #expect(rig.stub.requests.isEmpty)
    }

    @Test("a credential answers the challenge of the target's server")
    func credential() async throws {
        rig.answer(.unauthorized("Basic realm=\"r\""), .good)
        let plugin = CredentialsPlugin { _ in
            URLCredential(user: "u", password: "p", persistence: .none)
        }
        let result = await send(provider(plugin))
        #expect(try result.get().statusCode == 200)
        let login = Data("u:p".utf8).base64EncodedString()
        #expect(rig.stub.requests[1].headers["Authorization"] == "Basic \(login)")
    }

    @Test("each start has an end, also with retries, cancels and unsent calls")
    func activity() async throws {
        rig.answer(.init(503), .init(503), .good)
        rig.manager.interceptors = [
            Retrier { _, _, _, completion in completion(.retry) }
        ]
        let plugin = NetworkActivityPlugin { [log] change, _ in log.add("\(change)") }
        _ = await send(provider(plugin))
        #expect(log.all == ["began", "ended"])
        _ = await send(provider(plugin), TestTarget("a#b"))
        #expect(log.count == 2)
        let manager = HTTPSessionManager(transport: ManualTransport())
        let cancelled = Recorder<Int>()
        let provider = TargetProvider<TestTarget>(session: manager, plugins: [plugin])
        let call = provider.request(TestTarget()) { _ in cancelled.add(1) }
        await log.wait(for: 3)
        call.cancel()
        await cancelled.wait(for: 1)
        #expect(log.all.suffix(2) == ["began", "ended"])
    }

    @Test(
        "a call that is canceled while a plugin waits is never reported as sent"
    )
    func cancelledWhileWaiting() async {
        let gate = Recorder<Int>()
        let asked = Recorder<Int>()
        let token = AccessTokenPlugin { _ in
            asked.add(1)
            await gate.wait(for: 1)
            return "t"
        }
        let activity = NetworkActivityPlugin { [log] change, _ in log.add("\(change)") }
        let transport = ManualTransport()
        let manager = HTTPSessionManager(transport: transport)
        let provider = TargetProvider<Private>(
            session: manager, plugins: [token, activity, NotingPlugin(log: log)])
        let ended = Recorder<Int>()
        let call = provider.request(Private(authorizationType: .bearer)) { _ in ended.add(1) }
        await asked.wait(for: 1)
        call.cancel()
        await ended.wait(for: 1)
        gate.add(1)
        await manager.shutdown(cancelingAfter: .seconds(30))
        #expect(log.all == ["receive cancellation", "process cancellation"])
        #expect(transport.exchanges.isEmpty)
    }

    // MARK: The log

    private func logged(
        _ options: NetworkLoggerPlugin.LogOptions, _ response: StubResponse,
        _ target: TestTarget = TestTarget()
    ) async -> [String] {
        let items = Recorder<String>()
        let plugin = NetworkLoggerPlugin(
            configuration: .init(
                formatter: .init(entry: { identifier, message, _ in "\(identifier): \(message)" }),
                output: { _, entries in entries.forEach(items.add) }, logOptions: options))
        let rig = StubRig { $0.additionalHeaders = ["X-Own": "s", "X-Both": "theirs"] }
        rig.answer(response)
        let provider = TargetProvider<TestTarget>(session: rig.manager, plugins: [plugin])
        _ = await send(provider, target)
        return items.all
    }

    @Test(
        "the default log has URL, fields and method, own fields before the session's"
    )
    func logDefault() async {
        let items = await logged(
            .default, .init(200, headers: ["X-R": "r"], body: Data("b".utf8)),
            TestTarget("a?token=secret") {
                $0.headers = ["X-Both": "own", "Authorization": "Bearer secret"]
            })
        #expect(items.count == 4)
        #expect(items[0] == "Request: http://stub.test/a")
        #expect(items[1].hasPrefix("Request Headers: [Accept-Encoding: "))
        #expect(items[1].contains(", Authorization: <redacted>, User-Agent: "))
        #expect(items[1].contains("X-Both: own") && items[1].contains("X-Own: s"))
        #expect(items[2] == "HTTP Request Method: GET")
        #expect(
            items[3].hasPrefix("Response: 200 http://stub.test/a [") && items[3].contains("X-R: r"))
        #expect(!items.joined().contains("secret"))
    }

    @Test("verbose logs have the bodies, truncated if they are long")
    func logVerbose() async {
        let long = Data(repeating: UInt8(ascii: "x"), count: 70_000)
        let items = await logged(
            .verbose, .init(200, body: long),
            TestTarget {
                $0.method = .post
                $0.task = .requestData(Data([0xFF]))
            })
        #expect(items[2] == "Request Body: ## Cannot map data to String ##")
        #expect(items.last?.hasSuffix("x… (70000 bytes)") == true)
        #expect((items.last?.utf8.count ?? 0) < 66_000)
    }

    @Test(
        "a refused response is logged as such, and a failure with the target's case"
    )
    func logErrors() async {
        let refused = await logged(
            [.errorResponseBody], .init(500, body: Data("why".utf8)),
            TestTarget { $0.validationType = .successCodes })
        #expect(refused.last == "Response Body: why" && refused.count == 3)
        let failed = await logged(
            [], .failure(Exchange.Failure(.cannotConnectToHost, message: "refused")))
        #expect(failed.last?.hasPrefix("Error: Error calling TestTarget : ") == true)
        let invalid = await logged(.default, .good, TestTarget("a#b"))
        #expect(invalid.count == 1 && invalid[0].hasPrefix("Error: "))
        enum Login: TargetType {
            case login(password: String)
            var baseURL: URL { TestTarget().baseURL }
            var path: String { "a#" }
            var method: HTTPMethod { .get }
            var task: TargetTask { .requestPlain }
        }
        let plugin = NetworkLoggerPlugin(
            configuration: .init(output: { [log] _, items in items.forEach(log.add) }))
        plugin.didReceive(
            .failure(.requestMapping("u")), target: MultiTarget(Login.login(password: "secret")))
        let entry = log.all.last ?? ""
        #expect(entry.hasPrefix("Moya_Logger: [20") && entry.contains("Login.login :"))
        #expect(!entry.contains("secret"))
    }

    @Test("the request can be logged as only a command line, without secrets")
    func logCommand() async {
        let items = await logged(
            [.formatRequestAsCURL, .requestHeaders], .good,
            TestTarget { $0.headers = ["Authorization": "Bearer secret"] })
        let requests = items.filter { $0.hasPrefix("Request") }
        #expect(requests.count == 1 && requests[0].contains("curl"))
        #expect(!items.joined().contains("secret"))
        #expect(NetworkLoggerPlugin.LogOptions.verbose.rawValue == 0b110111)
        #expect(NetworkLoggerPlugin.LogOptions.default.rawValue == 0b101)
    }
}
