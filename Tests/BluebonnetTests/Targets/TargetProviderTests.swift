import BluebonnetTesting
import BluebonnetTransport
import Dispatch
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet
@testable import BluebonnetTargets

/// A target for tests.
struct TestTarget: TargetType {
    var baseURL = URL(filePath: "/")
    var path = "a"
    var method = HTTPMethod.get
    var task = TargetTask.requestPlain
    var validationType = ValidationType.none
    var headers: [String: String]?
    var sampleData = Data("sample".utf8)

    init(_ path: String = "a", _ change: (inout TestTarget) -> Void = { _ in }) {
        self.path = path
        if let url = URL(string: "http://stub.test/") { baseURL = url }
        change(&self)
    }
}

/// Records its calls.
struct NotingPlugin: PluginType {
    var name = ""
    let log: Recorder<String>

    func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
        log.add("\(name)prepare")
        var request = request
        let former = request.value(forHTTPHeaderField: "X-Plugins") ?? ""
        request.setValue(former + name, forHTTPHeaderField: "X-Plugins")
        return request
    }

    func willSend(_ request: any RequestType, target: any TargetType) {
        log.add("\(name)send \(request.request?.value(forHTTPHeaderField: "X-Plugins") ?? "")")
    }

    func didReceive(_ result: Result<TargetResponse, TargetError>, target: any TargetType) {
        log.add("\(name)receive \(Self.text(result))")
    }

    func process(
        _ result: Result<TargetResponse, TargetError>, target: any TargetType
    ) -> Result<TargetResponse, TargetError> {
        log.add("\(name)process \(Self.text(result))")
        return result.map { response in
            TargetResponse(statusCode: response.statusCode + 1, data: response.data)
        }
    }

    static func text(_ result: Result<TargetResponse, TargetError>) -> String {
        switch result {
        case .success(let response): "\(response.statusCode)"
        case .failure(.underlying(let error as BluebonnetError, let response)):
            "\(error.stage)" + (response.map { " \($0.statusCode)" } ?? "")
        case .failure(.underlying(let error, _)): "\(type(of: error))"
        case .failure(.requestMapping): "mapping"
        case .failure(.parameterEncoding): "encoding"
        case .failure: "failure"
        }
    }
}

@Suite("Providers of targets", .timeLimit(.minutes(1)))
struct TargetProviderTests {
    private let rig = StubRig()
    private let log = Recorder<String>()

    private func provider(
        _ plugins: [any PluginType] = [],
        stub: @escaping TargetProvider<TestTarget>.StubClosure = TargetProvider.neverStub,
        queue: DispatchQueue? = nil
    ) -> TargetProvider<TestTarget> {
        TargetProvider(
            stubClosure: stub, callbackQueue: queue, session: rig.manager, plugins: plugins)
    }

    @discardableResult
    private func send(
        _ provider: TargetProvider<TestTarget>, _ target: TestTarget = TestTarget(),
        progress: TargetProvider<TestTarget>.ProgressBlock? = nil
    ) -> any Cancellable {
        provider.request(target, progress: progress) { [log] in
            log.add("done \(NotingPlugin.text($0))")
        }
    }

    @Test(
        "Swift's Task stays visible, targets can use Method, and all are Sendable"
    )
    func names() async throws {
        struct Named: TargetType {
            let baseURL = TestTarget().baseURL
            let path = "a"
            let method: Method = .get
            let task: TargetTask = .requestPlain
        }
        let provider = MoyaProvider<Named>(stubClosure: MoyaProvider.immediatelyStub)
        let task = Task { try await provider.request(Named()) }
        #expect(try await task.value.statusCode == 200)
    }

    @Test("a response with any status code is a success, with all of its parts")
    func success() async throws {
        rig.answer(.init(404, headers: ["X-A": "1"], body: Data("gone".utf8)))
        let response = try await provider().request(TestTarget("b") { $0.headers = ["X-B": "2"] })
        #expect(response.statusCode == 404 && response.data == Data("gone".utf8))
        #expect(response.head?.headers["X-A"] == "1" && response.response?.statusCode == 404)
        #expect(response.request?.url?.path == "/b" && response.metrics != nil)
        #expect(rig.stub.requests[0].headers["X-B"] == "2")
    }

    @Test("a request is sent even if the session does not start requests")
    func notStarted() async throws {
        rig.answer(.good, .good)
        rig.manager.startRequestsImmediately = false
        _ = try await provider().request(TestTarget())
        rig.manager.startRequestsImmediately = true
        _ = try await provider().request(TestTarget())
        #expect(rig.stub.requests.count == 2)
    }

    @Test("a request closure can answer later, and its first answer counts")
    func lateRequest() async throws {
        rig.answer(.good, .good)
        let answers = Locked<[@Sendable () -> Void]>([])
        let provider = TargetProvider<TestTarget>(
            requestClosure: { endpoint, answer in
                let result = Result { () throws(TargetError) in try endpoint.urlRequest() }
                answers.withLock {
                    $0 = [{ answer(result) }, { answer(.failure(.requestMapping(""))) }]
                }
            }, session: rig.manager)
        send(provider)
        #expect(rig.stub.requests.isEmpty)
        for answer in answers.withLock({ $0 }) { answer() }
        #expect(await log.wait(for: 1) == ["done 200"])
    }

    @Test("plugins and the completion get an early failure, once each")
    func failsEarly() async {
        let plugin = NotingPlugin(log: log)
        send(provider([plugin]), TestTarget("a#b"))
        #expect(
            await log.wait(for: 3) == ["receive mapping", "process mapping", "done mapping"])
        send(provider([plugin]), TestTarget { $0.task = .uploadMultipartFormData([]) })
        #expect(
            await log.wait(for: 6).suffix(3) == [
                "receive encoding", "process encoding", "done encoding",
            ])
        #expect(rig.stub.requests.isEmpty)
    }

    @Test("a status code that the target does not accept is an error with the response")
    func validation() async {
        rig.answer(.init(503), .init(302), .init(302), .init(418), .init(200))
        send(provider(), TestTarget { $0.validationType = .successCodes })
        #expect(await log.wait(for: 1) == ["done validation 503"])
        send(provider(), TestTarget { $0.validationType = .successCodes })
        #expect(await log.wait(for: 2).last == "done validation 302")
        send(provider(), TestTarget { $0.validationType = .successAndRedirectCodes })
        #expect(await log.wait(for: 3).last == "done 302")
        send(provider(), TestTarget { $0.validationType = .customCodes([418]) })
        #expect(await log.wait(for: 4).last == "done 418")
        send(provider(), TestTarget { $0.validationType = .customCodes([]) })
        #expect(await log.wait(for: 5).last == "done 200")
    }

    @Test("completions run on the queue of the call, the provider, or the session")
    func queues() async {
        rig.answer(.good, .good, .good)
        let key = DispatchSpecificKey<String>()
        func queue(_ name: String) -> DispatchQueue {
            let queue = DispatchQueue(label: name)
            queue.setSpecific(key: key, value: name)
            return queue
        }
        rig.queue.setSpecific(key: key, value: "session")
        let own = queue("own")
        let tell: TargetProvider<TestTarget>.Completion = { [log] _ in
            log.add(DispatchQueue.getSpecific(key: key) ?? "none")
        }
        provider().request(TestTarget(), completion: tell)
        await log.wait(for: 1)
        provider(queue: queue("provider")).request(TestTarget(), completion: tell)
        await log.wait(for: 2)
        provider(queue: queue("other")).request(TestTarget(), callbackQueue: own, completion: tell)
        #expect(await log.wait(for: 3) == ["session", "provider", "own"])
    }

    @Test("a call can be canceled at any stage, and its completion is called once")
    func cancelled() async {
        let never = TargetProvider<TestTarget>(
            requestClosure: { _, _ in }, session: rig.manager,
            plugins: [NotingPlugin(log: log)])
        let waiting = send(never)
        #expect(!waiting.isCancelled)
        waiting.cancel()
        waiting.cancel()
        #expect(waiting.isCancelled)
        #expect(
            await log.wait(for: 3) == [
                "receive cancellation", "process cancellation", "done cancellation",
            ])

        let transport = ManualTransport()
        let provider = TargetProvider<TestTarget>(session: HTTPSessionManager(transport: transport))
        let running = send(provider)
        _ = await transport.exchange()
        running.cancel()
        #expect(await log.wait(for: 4).last == "done cancellation")

        let ended = send(provider)
        await transport.exchange(1).replyAtOnce(200, [:], "")
        #expect(await log.wait(for: 5).last == "done 200")
        ended.cancel()
        #expect(!ended.isCancelled)
    }

    @Test(
        "canceling the Swift task cancels the call, and a canceled one sends nothing"
    )
    func cancelledTask() async {
        let transport = ManualTransport()
        let provider = TargetProvider<TestTarget>(session: HTTPSessionManager(transport: transport))
        let task = Task { try await provider.request(TestTarget()) }
        _ = await transport.exchange()
        task.cancel()
        await #expect {
            try await task.value
        } throws: { error in
            (error as? TargetError)?.bluebonnetError?.isExplicitlyCancelledError == true
        }
        let gate = Recorder<Int>()
        let early = Task {
            await gate.wait(for: 1)
            return try await provider.request(TestTarget())
        }
        early.cancel()
        gate.add(1)
        await #expect(throws: TargetError.self) { try await early.value }
        #expect(transport.exchanges.count <= 2)
    }

    @Test("progress has fractions if the length is known, and the response at the end")
    func progress() async {
        let transport = ManualTransport()
        let provider = TargetProvider<TestTarget>(
            session: HTTPSessionManager(transport: transport),
            plugins: [NotingPlugin(log: log)])
        send(provider, progress: { [log] in log.add("\($0.progress) \($0.completed)") })
        let transfer = await transport.exchange()
        await log.wait(for: 2)
        transfer.respond(200, ["Content-Length": "4"], ["1"])
        await log.wait(for: 3)
        transfer.send(["2"])
        await log.wait(for: 4)
        transfer.send(["34"])
        await log.wait(for: 5)
        transfer.end()
        #expect(
            await log.wait(for: 9).dropFirst(2) == [
                "0.25 false", "0.5 false", "1.0 false", "receive 200", "1.0 true", "process 200",
                "done 201",
            ])
        #expect(ProgressResponse().progress == 0)
    }

    @Test("without a length the fraction is 0 until the end, and a failure has no response")
    func unknownLength() async {
        let transport = ManualTransport()
        let provider = TargetProvider<TestTarget>(session: HTTPSessionManager(transport: transport))
        send(provider, progress: { [log] in log.add("\($0.progress) \($0.completed)") })
        let transfer = await transport.exchange()
        transfer.respond(200, [:], ["1"])
        await log.wait(for: 1)
        transfer.fail(.lost)
        #expect(await log.wait(for: 3) == ["0.0 false", "0.0 false", "done transport 200"])
    }

    @Test("a call continues when its provider is released")
    func letGo() async {
        rig.answer(.good)
        do { send(provider()) }
        #expect(await log.wait(for: 1) == ["done 200"])
    }

    @Test("files are uploaded, forms are sent, and downloads are moved to their destination")
    func transfers() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("f")
        try Data("file".utf8).write(to: file)
        rig.answer(.good, .good, .init(200, body: Data("body".utf8)))
        let provider = provider()
        _ = try await provider.request(
            TestTarget {
                $0.method = .put
                $0.task = .uploadFile(file)
            })
        #expect(rig.stub.requests[0].body == Data("file".utf8))
        _ = try await provider.request(
            TestTarget {
                $0.method = .post
                $0.task = .uploadMultipartFormData([
                    MultipartFormBodyPart(provider: .data(Data("d".utf8)), name: "n")
                ])
            })
        #expect(rig.stub.requests[1].text.contains("name=\"n\""))
        let place = directory.file("place")
        let response = try await provider.request(
            TestTarget { $0.task = .downloadDestination { _, _ in (place, []) } })
        #expect(response.fileURL == place && response.data.isEmpty)
        #expect(try Data(contentsOf: place) == Data("body".utf8))
    }

    @Test(
        "a stub runs plugins, validation, the session's adapters and downloads"
    )
    func stubs() async throws {
        let directory = try TemporaryDirectory()
        rig.manager.interceptors = [
            Adapter { [log] request, _, completion in
                log.add("adapt")
                completion(.success(request))
            }
        ]
        let provider = provider(
            [NotingPlugin(log: log)], stub: TargetProvider.immediatelyStub)
        send(provider)
        #expect(
            await log.wait(for: 6) == [
                "adapt", "prepare", "send ", "receive 200", "process 200", "done 201",
            ])
        let place = directory.file("place")
        let response = try await provider.request(
            TestTarget { $0.task = .downloadDestination { _, _ in (place, []) } })
        #expect(response.statusCode == 201)
        #expect(try Data(contentsOf: place) == Data("sample".utf8))
        #expect(rig.stub.requests.isEmpty)
    }

    private func sampling(_ sample: EndpointSampleResponse) -> TargetProvider<TestTarget> {
        TargetProvider(
            endpointClosure: { target in
                let endpoint = Endpoint(target)
                return Endpoint(
                    url: endpoint.url, sampleResponseClosure: { sample }, method: endpoint.method,
                    task: endpoint.task, httpHeaderFields: endpoint.httpHeaderFields)
            }, stubClosure: TargetProvider.immediatelyStub, session: rig.manager)
    }

    @Test("a sample is a status code, a head or an error")
    func samples() async throws {
        let plain = try await sampling(.networkResponse(418, Data("t".utf8))).request(TestTarget())
        #expect(plain.statusCode == 418 && plain.data == Data("t".utf8))
        let url = try #require(URL(string: "http://stub.test/a"))
        let head = try #require(
            HTTPURLResponse(
                url: url, statusCode: 201, httpVersion: nil,
                headerFields: ["X-A": "1", "Content-Length": "99"]))
        let response = try await sampling(.response(head, Data("t".utf8))).request(TestTarget())
        #expect(response.head?.headers["X-A"] == "1" && response.data == Data("t".utf8))
        let moved = try #require(
            HTTPURLResponse(
                url: url, statusCode: 302, httpVersion: nil, headerFields: ["Location": "/b"]))
        let redirect = try await sampling(.response(moved, Data())).request(TestTarget())
        #expect(redirect.statusCode == 302)
        struct Own: Error {}
        await #expect {
            try await sampling(.networkError(Own())).request(TestTarget())
        } throws: { error in
            guard case .underlying(let error, nil)? = error as? TargetError else { return false }
            return error is Own
        }
        // A contradiction, because this status code is invalid.
        await #expect(throws: TargetError.self) {
            try await sampling(.networkResponse(-1, Data())).request(TestTarget())
        }
    }

    @Test("a delayed stub answers after its delay, and can be canceled before")
    func delayed() async {
        let clock = ManualClock()
        let rig = StubRig(clock: clock)
        let provider = TargetProvider<TestTarget>(
            stubClosure: TargetProvider.delayedStub(10), session: rig.manager)
        send(provider)
        await clock.advance(by: .seconds(9))
        #expect(log.count == 0)
        await clock.advance(by: .seconds(1))
        #expect(await log.wait(for: 1) == ["done 200"])
        send(provider).cancel()
        #expect(await log.wait(for: 2).last == "done cancellation")
        await clock.advance(by: .seconds(20))
        #expect(log.count == 2)
    }
}
