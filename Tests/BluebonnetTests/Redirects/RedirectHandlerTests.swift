import BluebonnetTesting
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("Redirect handlers", .timeLimit(.minutes(5)))
struct RedirectHandlerTests {
    /// Implements Alamofire's method.
    private struct Completing: RedirectHandler {
        let log: Recorder<String>
        let isTwice: Bool

        func task(
            _ task: SessionTask, willBeRedirectedTo request: URLRequest,
            for response: HTTPURLResponse, completion: @escaping @Sendable (URLRequest?) -> Void
        ) {
            log.add("\(task.taskIdentifier) \(response.statusCode) \(request.url?.path ?? "")")
            var changed = request
            changed.setValue("yes", forHTTPHeaderField: "X-Changed")
            completion(changed)
            if isTwice { completion(nil) }
        }
    }

    /// Implements neither method.
    private struct Silent: RedirectHandler {}

    private static func start(
        _ rig: StubRig, _ rule: RedirectRule? = nil
    ) async throws -> (Response<any Sendable>, DataTask) {
        let url = try #require(URL(string: "http://a.test/one"))
        var request = URLRequest(url: url)
        request.setValue("Bearer hunter2", forHTTPHeaderField: "Authorization")
        let options: RequestOptions = rule.map { .redirects($0) } ?? []
        let task = rig.manager.dataTask(with: request, options: options) { [rig] in
            rig.responses.add($0)
        }
        let count = rig.responses.count
        task.resume()
        return (await rig.responses.wait(for: count + 1)[count], task)
    }

    @Test("Redirector follows, declines or modifies redirects")
    func redirector() async throws {
        let rig = StubRig()
        rig.answer(.moved(to: "/two"), .good, .moved(to: "/two"), .moved(to: "/two"), .good)
        #expect(try await Self.start(rig, .handler(.follow)).0.error == nil)
        let (declined, _) = try await Self.start(rig, .handler(.doNotFollow))
        #expect(declined.head?.statusCode == 302 && rig.stub.requests.count == 3)
        let rule = RedirectRule.handler(
            .modify { task, request, response in
                var request = request
                request.url = URL(
                    string: "http://a.test/\(task.taskIdentifier)/\(response.statusCode)")
                return request
            })
        let (changed, task) = try await Self.start(rig, rule)
        #expect(changed.head?.url.path == "/\(task.taskIdentifier)/302")
    }

    @Test(
        "the completion form is called once per redirect, and a second result is ignored")
    func completion() async throws {
        for isTwice in [false, true] {
            let (rig, log) = (StubRig(), Recorder<String>())
            rig.answer(.moved(to: "/two"), .moved(307, to: "/three"), .good)
            let (response, task) = try await Self.start(
                rig, .handler(Completing(log: log, isTwice: isTwice)))
            #expect(response.error == nil)
            let number = task.taskIdentifier
            #expect(log.all == ["\(number) 302 /two", "\(number) 307 /three"])
            #expect(rig.stub.requests.map { $0.headers["X-Changed"] } == [nil, "yes", "yes"])
        }
    }

    @Test(
        "a handler that implements neither form follows no redirect and does not recurse"
    )
    func silent() async throws {
        let rig = StubRig()
        rig.answer(.moved(to: "/two"), .good)
        let (response, task) = try await Self.start(rig, .handler(Silent()))
        #expect(response.head?.statusCode == 302 && rig.stub.requests.count == 1)
        let request = try #require(task.currentRequest)
        let redirect = try #require(task.response)
        let answer = await withCheckedContinuation { continuation in
            Silent().task(task, willBeRedirectedTo: request, for: redirect) {
                continuation.resume(returning: $0)
            }
        }
        #expect(answer == nil)
    }

    @Test("a call's handler replaces the manager's")
    func replaced() async throws {
        let rig = StubRig()
        let log = Recorder<String>()
        rig.manager.setRedirectHandler(Completing(log: log, isTwice: false))
        rig.answer(
            .moved(to: "/two"), .good, .moved(to: "/two"), .moved(to: "/two"), .good)
        #expect(try await Self.start(rig).0.error == nil)
        #expect(log.count == 1)
        #expect(try await Self.start(rig, .handler(.doNotFollow)).0.head?.statusCode == 302)
        #expect(log.count == 1)
        rig.manager.setRedirectHandler(nil)
        #expect(try await Self.start(rig).0.error == nil)
        #expect(log.count == 1)
    }

    @Test("a handler that leads to another origin does not send Authorization there")
    func origin() async throws {
        let rig = StubRig()
        rig.answer(.moved(to: "/two"), .good)
        let rule = RedirectRule.handler(
            .modify { _, request, _ in
                var request = request
                request.url = URL(string: "http://b.test/elsewhere")
                return request
            })
        #expect(try await Self.start(rig, rule).0.head?.url.host == "b.test")
        #expect(rig.stub.requests.map { $0.headers["Authorization"] } == ["Bearer hunter2", nil])
    }

    @Test("a handler that never answers ends once, with the cancel of its task")
    func cancel() async throws {
        struct Hanging: RedirectHandler {
            let asked: Recorder<Void>

            func task(
                _ task: SessionTask, willBeRedirectedTo request: URLRequest,
                for response: HTTPURLResponse,
                completion: @escaping @Sendable (URLRequest?) -> Void
            ) { asked.add(()) }
        }
        let (rig, asked) = (StubRig(), Recorder<Void>())
        rig.answer(.moved(to: "/two"))
        rig.manager.setRedirectHandler(Hanging(asked: asked))
        let task = try rig.start()
        await asked.wait(for: 1)
        task.cancel()
        #expect(await rig.response.error?.isCancelled == true)
        await rig.expectOneCompletion()
    }
}
