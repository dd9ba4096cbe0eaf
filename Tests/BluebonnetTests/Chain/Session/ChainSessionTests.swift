import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet
import BluebonnetChain

@Suite("Sessions of the chain", .timeLimit(.minutes(1)))
struct ChainSessionTests {
    private let rig = StubRig()
    private let log = Recorder<String>()

    @Test("AF is the shared session")
    func shared() {
        #expect(AF === Session.default && Session.default === Session.default)
        #expect(AF.baseURL == nil && AF.startRequestsImmediately && !AF.validatesByDefault)
    }

    @Test("a session is created with Alamofire's arguments")
    func made() async {
        let monitor = ClosureEventMonitor()
        monitor.requestDidFinish = { [log] _ in log.add("finished") }
        let session = Session(
            configuration: .af.default, startRequestsImmediately: false,
            interceptor: Adapter { _, _, completion in
                completion(.failure(URLError(.userAuthenticationRequired)))
            }, redirectHandler: .doNotFollow, cachedResponseHandler: .doNotCache,
            eventMonitors: [monitor])
        #expect(!session.startRequestsImmediately && session.interceptors.count == 1)
        let request = session.request("http://h.test/").response { [log] in
            log.add("\($0.error?.isRequestAdaptationError == true)")
        }
        #expect(request.isInitialized)
        request.resume()
        #expect(await log.wait(for: 2).sorted() == ["finished", "true"])
        #expect(session.taskWillPerformHTTPRedirection != nil)
        #expect(session.dataTaskWillCacheResponse != nil)
        #expect(Session().startRequestsImmediately && Session().interceptors.isEmpty)
    }

    @Test("a session with an interceptor is tested with a stub")
    func transport() async throws {
        let stub = StubTransport()
        stub.on("http://h.test/a", .status(503), .text("hello"))
        let session = Session(
            interceptor: .retryPolicy(exponentialBackoffScale: 0), transport: stub)
        let request = session.request("http://h.test/a").validate()
        #expect(try await request.serializingString().value == "hello")
        #expect(stub.requests.count == 2)
        stub.on("http://h.test/b", .text("bare"))
        let bare = Session(transport: stub).request("http://h.test/b")
        #expect(try await bare.serializingString().value == "bare")
    }

    @Test("0.1, 0.2: a request is one task, whose handlers are operations on its queue")
    func oneTask() async {
        rig.answer(.init(503), .good)
        let request = rig.manager.request(
            "a", interceptor: Retrier { _, _, _, completion in completion(.retry) },
            shouldAutomaticallyResume: false
        ).validate()
        request.responseData { [log] _ in log.add("handler") }
        let queue = request.delegate.queue
        queue.addOperation { [log] in log.add("operation") }
        #expect(queue.isSuspended && rig.manager.tasks.count == 1)
        request.resume()
        #expect(await log.wait(for: 2).sorted() == ["handler", "operation"])
        #expect(!queue.isSuspended && request.tasks.count == 1 && request.requests.count == 2)
    }

    @Test("0.3: Alamofire's names are the library's types")
    func names() async throws {
        let header: HTTPHeader = .accept("a/b")
        let field: HTTPHeaders.Field = header
        let response: DataResponse<Int, AFError> = Response(
            request: nil, head: nil, data: nil, result: AFResult<Int>.success(1))
        let same: AFDataResponse<Int> = response
        let file = AFDownloadResponse(same)
        let download: DownloadResponse<Int, AFError> = file
        #expect(field.name == "Accept" && download.value == 1)
        rig.answer(.good, .good)
        let data: DataRequest.Serializing<Data> = rig.manager.request("a").serializingData()
        let place: DownloadRequest.Serializing<URL> =
            rig.manager.download("a").serializingDownloadedFileURL()
        #expect(try await data.value.isEmpty == false)
        #expect(await place.response.error == nil)
    }

    @Test("a description has no secrets, and all attempts share a deadline")
    func limits() async {
        let clock = ManualClock()
        let rig = StubRig(clock: clock) { $0.timeouts.whole = 5 }
        rig.answer((0..<9).map { _ in StubResponse(503) })
        let request = rig.manager.request(
            "a?token=secret", headers: ["Authorization": "secret"],
            interceptor: Retrier { _, _, _, completion in completion(.retryWithDelay(2)) })
        request.validate()
        let response = await clock.run { await request.serializingData().response }
        #expect(response.error?.responseCode == 503, "\(response)")
        #expect(request.retryCount == 2)
        for text in ["\(request)", "\(response)", "\(request.error as Any)"] {
            #expect(!text.contains("secret"))
        }
        var dumped = ""
        dump(request, to: &dumped)
        #expect(!dumped.contains("secret"))
    }

    @Test("trust is the manager's policy, for one host or for all")
    func trust() async {
        var policy = SecurityPolicy()
        policy.pinningMode = .publicKey
        rig.manager.securityPolicies["stub.test"] = policy
        let error = await rig.manager.request("http://stub.test/").serializingData().response.error
        #expect(error?.stage == .security && rig.stub.requests.isEmpty)
    }

    @Test(
        "an upload is a data request, and a redirect can require its body again")
    func redirectedUpload() async {
        rig.answer(.moved(307, to: "/b"), .good)
        let request: DataRequest = rig.manager.upload(Data("body".utf8), to: "a", method: .put)
        #expect(await request.serializingData().response.error == nil)
        #expect(rig.stub.requests.map(\.text) == ["body", "body"])
        #expect(rig.stub.requests.map(\.method) == [.put, .put])
    }

    @Test("the events of a request can be read in loops until its end")
    func loops() async throws {
        rig.answer(.init(503), .init(200, body: Data(repeating: 1, count: 100)))
        let request = rig.manager.request(
            "a", method: .post,
            interceptor: Retrier { _, _, _, completion in completion(.retry) },
            shouldAutomaticallyResume: false
        ) { $0.httpBody = Data(repeating: 2, count: 50) }
        request.validate()
        let (requests, tasks) = (request.urlRequests(), request.urlSessionTasks())
        let (commands, heads) = (request.cURLDescriptions(), request.httpResponses())
        let (up, down) = (request.uploadProgress(), request.downloadProgress())
        request.response { _ in }.resume()
        var seen: [String] = []
        for await request in requests { seen.append(request.httpMethod ?? "") }
        for await task in tasks { seen.append("\(task === request.task)") }
        for await command in commands { seen.append(String(command.prefix(7))) }
        for await head in heads { seen.append("\(head.statusCode)") }
        for await progress in up { seen.append("\(progress.completedUnitCount)") }
        for await progress in down { seen.append("\(progress.completedUnitCount)") }
        #expect(seen == ["POST", "POST", "true", "$ curl ", "503", "200", "50", "100"])
    }
}
