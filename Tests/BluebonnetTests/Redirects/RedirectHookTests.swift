import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("Results of redirect hooks", .timeLimit(.minutes(5)))
struct RedirectHookTests {
    private let clock = ManualClock()

    @Test("a hook that exceeds the deadline ends its task and is canceled")
    func noTimeLeft() async throws {
        let rig = StubRig(clock: clock) { $0.timeouts.whole = 0.05 }
        let (asked, stopped) = (Recorder<Void>(), Recorder<Void>())
        let (forever, _) = AsyncStream.makeStream(of: Void.self)
        rig.manager.taskWillPerformHTTPRedirection = { _, _, request in
            asked.add(())
            for await _ in forever {}
            stopped.add(())
            return request
        }
        rig.answer(.moved(to: "/b"))
        try rig.start()
        await asked.wait(for: 1)
        await clock.advance(by: .milliseconds(49))
        #expect(rig.responses.count == 0)
        await clock.advance(by: .milliseconds(1))
        await rig.expectOneCompletion()
        #expect(await rig.response.error?.timeout == .whole)
        await stopped.wait(for: 1)
        #expect(rig.stub.requests.count == 1)
    }

    @Test(
        "without a finite timeout, a hook can take any time",
        arguments: [nil, .infinity, .nan] as [TimeInterval?])
    func noTimeout(whole: TimeInterval?) async throws {
        let rig = StubRig(clock: clock) { $0.timeouts.whole = whole }
        rig.manager.taskWillPerformHTTPRedirection = { [clock] _, _, request in
            try? await clock.sleep(for: .seconds(1_000_000))
            return request
        }
        rig.answer(.moved(to: "/b"), .good)
        try rig.start()
        await clock.advance(by: .seconds(999_999))
        #expect(rig.responses.count == 0)
        await clock.advance(by: .seconds(1))
        await rig.expectOneCompletion()
        #expect(await rig.response.error == nil)
    }

    @Test("nil delivers the redirect to data hook, progress, response and validation")
    func delivered() async throws {
        let rig = StubRig()
        let (pieces, progress, heads) = (Recorder<Data>(), Recorder<Int64>(), Recorder<Int>())
        rig.manager.taskWillPerformHTTPRedirection = { _, _, _ in nil }
        rig.manager.dataTaskDidReceiveData = { _, data in pieces.add(data) }
        rig.manager.dataTaskDidReceiveResponse = { _, head in
            heads.add(head.statusCode)
            return .allow
        }
        rig.answer(StubResponse.moved(303, to: "/b", body: "moved!").inPieces(of: 3))
        let task = try rig.start(progress: { progress.add($0.completedUnitCount) })
        let response = await rig.response
        guard case .unacceptableStatus(303, let context) = try #require(response.error) else {
            Issue.record("\(response)")
            return
        }
        await rig.settle()
        #expect(response.data == Data("moved!".utf8) && context.data == response.data)
        #expect(pieces.all.reduce(Data(), +) == response.data)
        #expect(progress.all.last == 6 && task.progress.totalUnitCount == 6)
        #expect(heads.all == [303])
        #expect(response.metrics?.redirectCount == 0 && response.request?.url?.path == "/one/two")
        await rig.expectOneCompletion()
        #expect(rig.stub.requests.count == 1)
    }

    @Test("nil after some hops delivers the last hop")
    func deliveredLater() async throws {
        let rig = StubRig()
        rig.manager.taskWillPerformHTTPRedirection = { _, _, request in
            request.url?.path == "/c" ? nil : request
        }
        rig.answer(.moved(to: "/b", body: "first"), .moved(307, to: "/c", body: "second"))
        try rig.start()
        let response = await rig.response
        #expect(response.head?.statusCode == 307 && response.data == Data("second".utf8))
        #expect(response.request?.url?.path == "/b" && response.metrics?.redirectCount == 1)
        await rig.expectOneCompletion()
    }

    @Test("a request without a URL from the hook, with secrets or without, fails the task")
    func noURL() async throws {
        for authorization in [nil, "Bearer x"] {
            let stub = ManualTransport()
            let manager = SessionManager(transport: stub)
            manager.taskWillPerformHTTPRedirection = { _, _, request in
                var request = request
                request.setValue(authorization, forHTTPHeaderField: "Authorization")
                request.url = nil
                return request
            }
            let url = try #require(URL(string: "http://a.test/x"))
            async let response = manager.response(for: URLRequest(url: url), serializer: .http)
            await stub.exchange().redirect(to: "http://b.test/y")
            let error = await response.error
            #expect(error != nil)
            #expect(stub.exchanges.count == 1)
        }
    }

    @Test("another method, URL and body from the hook are sent")
    func changed() async throws {
        let rig = StubRig()
        rig.manager.taskWillPerformHTTPRedirection = { task, _, request in
            #expect(task.currentRequest?.httpMethod == "PUT")
            var request = request
            request.url = URL(string: "http://c.test/x")
            request.httpMethod = "POST"
            request.httpBody = Data("other".utf8)
            return request
        }
        rig.answer(.moved(307, to: "/b"), .good)
        try rig.start {
            $0.httpMethod = "PUT"
            $0.httpBody = Data("body".utf8)
        }
        #expect(await rig.response.head?.url.host == "c.test")
        await rig.expectOneCompletion()
        let next = try #require(rig.stub.requests.last)
        #expect(next.method == .post && next.url.absoluteString == "http://c.test/x")
        #expect(next.text == "other")
    }

    @Test(
        "a body from the hook replaces an upload's, also as a stream",
        arguments: [true, false])
    func bodyForUpload(isStream: Bool) async throws {
        let rig = StubRig()
        rig.manager.taskWillPerformHTTPRedirection = { _, _, request in
            var request = request
            if isStream {
                request.httpBodyStream = InputStream(data: Data("other".utf8))
            } else {
                request.httpBody = Data("other".utf8)
            }
            return request
        }
        // An unread stream cannot be distinguished from a read one, so a new one is requested.
        rig.manager.taskNeedsNewBodyStream = { _ in { InputStream(data: Data("other".utf8)) } }
        rig.answer(.moved(307, to: "/b"), .good)
        var request = URLRequest(url: try #require(URL(string: "http://a.test/")))
        request.httpMethod = "PUT"
        rig.manager.uploadTask(with: request, from: Data("upload".utf8)) { [rig] response in
            rig.log.add("handler")
            rig.responses.add(response)
        }.resume()
        await rig.expectOneCompletion()
        #expect(rig.stub.requests.map(\.text) == ["upload", "other"])
    }

    @Test(
        "a 307 sends bodies of every kind again, and requests a new stream (fault 40)"
    )
    func replay() async throws {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("redirect-\(UUID().uuidString)")
        try Data("body".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let asked = Recorder<Int>()
        for kind in 0..<4 {
            let rig = StubRig()
            rig.manager.taskNeedsNewBodyStream = { _ in
                asked.add(kind)
                return { InputStream(data: Data("body".utf8)) }
            }
            rig.answer((0..<3).map { .moved(307, to: "/\($0)") } + [.good])
            let handler: @Sendable (Response<any Sendable>) -> Void = { response in
                rig.log.add("handler")
                rig.responses.add(response)
            }
            var request = URLRequest(url: try #require(URL(string: "http://a.test/")))
            request.httpMethod = "PUT"
            let (manager, data) = (rig.manager, Data("body".utf8))
            let task: SessionTask
            switch kind {
            case 0: task = manager.uploadTask(with: request, from: data, completionHandler: handler)
            case 1:
                task = manager.uploadTask(with: request, fromFile: file, completionHandler: handler)
            case 2:
                task = manager.uploadTask(
                    withStreamedRequest: request, body: { InputStream(data: data) },
                    completionHandler: handler)
            default:
                request.httpBodyStream = InputStream(data: data)
                task = manager.dataTask(with: request, completionHandler: handler)
            }
            task.resume()
            await rig.expectOneCompletion()
            #expect(
                rig.stub.requests.map(\.text) == Array(repeating: "body", count: 4), "\(kind)")
        }
        #expect(asked.all == [3, 3, 3])
    }

    @Test("a stream that cannot be created again fails a 307 (fault 40)")
    func usedUp() async throws {
        let rig = StubRig()
        rig.answer(.moved(307, to: "/b"))
        try rig.start {
            $0.httpMethod = "POST"
            $0.httpBodyStream = InputStream(data: Data("body".utf8))
        }
        #expect(await rig.response.error?.urlError.code == .requestBodyStreamExhausted)
        await rig.expectOneCompletion()
        #expect(rig.stub.requests.count == 1)
    }
}
