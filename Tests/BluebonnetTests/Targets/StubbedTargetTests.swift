import BluebonnetTargetsTesting
import BluebonnetTesting
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet
import BluebonnetTargets

@Suite("Targets answered by a stub", .timeLimit(.minutes(1)))
struct StubbedTargetTests {
    private let stub = StubTransport()

    @Test("a target's route has its method, URL and query, in any encoding")
    func routes() async throws {
        let found = TestTarget {
            $0.task = .requestParameters(
                parameters: ["q": "a b"], encoding: URLEncoding.queryString)
        }
        let route = stub.on(TestTarget("a b/c"), .text("path"))
        stub.on(found, .text("first"), .text("then"))
        stub.on(TestTarget { $0.method = .delete }, .status(204))
        let provider = TargetProvider<TestTarget>.stubbed(by: stub)
        #expect(try await provider.request(TestTarget("a b/c")).mapString() == "path")
        #expect(try await provider.request(TestTarget("a%20b/c")).mapString() == "path")
        #expect(try await provider.request(found).mapString() == "first")
        #expect(try await provider.request(TestTarget("a?q=a%20b")).mapString() == "then")
        #expect(try await provider.request(TestTarget { $0.method = .delete }).statusCode == 204)
        #expect(route.requests.count == 2)
        try stub.verify()
        await #expect(throws: TargetError.self) { try await provider.request(TestTarget("b")) }
        #expect(stub.problems.count == 1)
    }

    @Test("a target's route matches only its query, and its exact path")
    func exact() async throws {
        func list(_ page: Int?) -> TestTarget {
            TestTarget {
                guard let page else { return }
                $0.task = .requestParameters(
                    parameters: ["page": page], encoding: URLEncoding.queryString)
            }
        }
        stub.on(list(nil), .text("all"))
        stub.on(list(2), .text("two"))
        stub.on(TestTarget("users/:me"), .text("me"))
        stub.on(TestTarget("files/*"), .text("star"))
        let provider = TargetProvider<TestTarget>.stubbed(by: stub)
        #expect(try await provider.request(list(2)).mapString() == "two")
        #expect(try await provider.request(list(nil)).mapString() == "all")
        #expect(try await provider.request(TestTarget("users/:me")).mapString() == "me")
        #expect(try await provider.request(TestTarget("files/*")).mapString() == "star")
        try stub.verify()
        for path in ["users/you", "files/a", "a?page=3"] {
            await #expect(throws: TargetError.self) {
                try await provider.request(TestTarget(path))
            }
        }
    }

    @Test("interceptors and plugins work as with a server, and delays take no real time")
    func interceptors() async throws {
        var configuration = SessionConfiguration()
        let clock = ManualClock()
        configuration.clock = clock
        let log = Recorder<String>()
        stub.on(TestTarget(), .status(503), StubResponse.text("done").after(.seconds(20)))
        let provider = TargetProvider<TestTarget>.stubbed(
            by: stub, configuration: configuration, interceptors: [RetryPolicy()],
            plugins: [NotingPlugin(log: log)])
        let response = try await clock.run { try await provider.request(TestTarget()) }
        #expect(response.statusCode == 201 && stub.requests.count == 2)
        #expect(log.all.filter { $0 == "prepare" }.count == 2)
    }

    @Test("a target's route also works on a test server")
    func server() async throws {
        let server = try TestServer()
        defer { server.stop() }
        let target = TestTarget("a?b=1") { $0.baseURL = server.url }
        server.on(target, .text("x"))
        #expect(
            try await TargetProvider<TestTarget>().request(target).mapString() == "x")
        try server.verify()
    }
}
