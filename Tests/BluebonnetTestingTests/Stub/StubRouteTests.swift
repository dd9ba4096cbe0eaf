import Bluebonnet
import BluebonnetTesting
import Testing

@Suite("Routes of a stub", .timeLimit(.minutes(10)))
struct StubRouteTests {
    private let stub = StubTransport()
    private let api: HTTPSessionManager

    init() {
        api = HTTPSessionManager(baseURL: URL(string: "http://a.test/"), transport: stub)
    }

    @Test(
        "paths match by segment",
        arguments: [
            ("/a", "a", true), ("/a", "a/", false), ("/a", "b", false), ("a", "a", true),
            ("/", "", true), ("/*", "x", true), ("/*", "x/y", false), ("/a/*", "a/", true),
            ("/a/**", "a/x/y", true), ("/a/**", "a", true), ("/**", "", true),
            ("/a/:id", "a/1", true), ("/a/:id/b", "a/1/b", true), ("/a/:id/b", "a/1/c", false),
            ("http://a.test/a", "a", true), ("http://A.test/a", "a", true),
            ("https://a.test/a", "a", false), ("http://b.test/a", "a", false),
            ("http://a.test:80/a", "a", true), ("/a?x=1", "a?x=1&y=2", true),
            ("/a?x=1", "a?x=2", false),
            ("/a%20b", "a%20b", true), ("/a b", "a%20b", true), ("/a%2Fb", "a/b", false),
        ])
    func paths(pattern: String, path: String, fits: Bool) async throws {
        stub.on(pattern, .status(200))
        #expect((try? await api.text(path)) == (fits ? "" : nil))
        #expect(stub.problems.isEmpty == fits)
        guard !pattern.contains("?") else { return }
        #expect(stub.requests(to: pattern).count == (fits ? 1 : 0))
    }

    @Test("named segments are passed to the closure and logged, decoded")
    func parameters() async throws {
        stub.on(.get, "/users/:id/files/:name") { .text("\($0.parameters)") }
        stub.on(.get, "/only/:name") { .json(["name": $0.parameters["name"]]) }
        let text = try await api.text("users/7/files/a%2Fb%20c")
        #expect(text.contains(#""id": "7""#) && text.contains(#""name": "a/b c""#))
        struct Named: Decodable { let name: String }
        #expect(try await api.get("only/x", as: Named.self).name == "x")
        let expected = ["id": "7", "name": "a/b c"]
        #expect(stub.requests.map(\.parameters) == [expected, ["name": "x"]])
        #expect(stub.requests(to: "/users/:user/**").map(\.parameters) == [["user": "7"]])
    }

    @Test("method, query, header fields and body select a route")
    func choice() async throws {
        stub.on(.get, "/a", query: ["page": "2"], .text("second page"))
        stub.on(.get, "/a", where: { $0.query["page"] == nil }, .text("first page"))
        stub.on(.post, "/a", where: { $0.headers["X-Kind"] == "b" }, .text("kind b"))
        stub.on(.post, "/a", where: { $0.text.contains("name") }, .text("named"))
        func text(_ method: HTTPMethod, _ parameters: Parameters?, _ headers: HTTPHeaders = [:])
            async throws -> String
        {
            try await api.text("a", method, parameters, headers)
        }
        #expect(try await text(.get, ["page": 2, "size": 3]) == "second page")
        #expect(try await text(.get, nil) == "first page")
        #expect(try await text(.post, nil, ["X-Kind": "b"]) == "kind b")
        #expect(try await text(.post, ["name": "x"]) == "named")
        try stub.verify()
    }

    @Test("responses follow one another, and the last one repeats")
    func sequence() async throws {
        let route = stub.on(.get, "/a", .status(503), .json([1]), .json([2]))
        let error = await #expect(throws: BluebonnetError.self) { try await api.get("a") }
        guard case .unacceptableStatus(503, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        for expected in [1, 2, 2] {
            #expect(try await api.get("a", as: [Int].self) == [expected])
        }
        #expect(route.requests.map(\.number) == [1, 2, 3, 4])
    }

    @Test("a request without a route fails with a list of the routes")
    func unexpected() async throws {
        stub.on(.post, "/a", .status(200))
        for (path, hint) in [("a", "the path matches POST /a"), ("b", "the routes are POST /a")] {
            let error = await #expect(throws: BluebonnetError.self) { try await api.get(path) }
            #expect(error?.urlError.code == .resourceUnavailable)
            #expect(error?.description.contains("no route for GET http://a.test/\(path)") == true)
            #expect(error?.description.contains(hint) == true)
        }
    }

    @Test("mismatches between routes and requests are reported at the end, with their locations")
    func problems() async throws {
        let line = #line + 1
        stub.on(.get, "/unused", .status(200))
        stub.on("/twice/*", .text("first"))
        stub.on(.get, "/twice/a", .text("second"))
        stub.on(.get, "/rest", .text("1"), .text("2"), .text("3"))
        for path in ["twice/a", "rest", "none?page=2&a%5Bkey%5D=secret&token=secret"] {
            _ = try? await api.text(path)
        }
        let error = #expect(throws: StubMismatch.self) { try stub.verify() }
        let problems = try #require(error?.problems)
        #expect(problems.count == 5)
        #expect(problems[0].contains("GET http://a.test/twice/a matched any method /twice/*"))
        #expect(problems[0].contains("which answered, and GET /twice/a"))
        #expect(
            problems[1].contains(
                "no route for GET http://a.test/none?page=2&a%5Bkey%5D=<redacted>&token=<redacted>;"
            ))
        #expect(
            problems[2]
                == "no request matched GET /unused (BluebonnetTestingTests/StubRouteTests.swift:\(line))"
        )
        #expect(problems[3].hasPrefix("no request matched GET /twice/a"))
        #expect(problems[4].hasPrefix("2 of the 3 responses of GET /rest"))
        #expect(error?.description.contains("secret") == false)
    }

    @Test("a removed route makes room for another")
    func removal() async throws {
        let usual = stub.on(.get, "/a", .text("usual"))
        stub.remove(usual)
        stub.on(.get, "/a", .text("special"))
        #expect(try await api.text("a") == "special")
        try stub.verify()
    }

    @Test("a transport failure of a closure is unchanged, other errors fail with their text")
    func errors() async throws {
        struct Odd: Error {}
        stub.on("/odd") { _ in throw Odd() }
        stub.on("/lost") { _ in
            throw Exchange.Failure(.networkConnectionLost, message: "on purpose")
        }
        let odd = await #expect(throws: BluebonnetError.self) { try await api.get("odd") }
        #expect(odd?.description.contains("route for GET http://a.test/odd threw Odd()") == true)
        let lost = await #expect(throws: BluebonnetError.self) { try await api.get("lost") }
        #expect(lost?.urlError.code == .networkConnectionLost)
    }

    @Test("10,000 requests from many tasks are each answered and logged once")
    func many() async throws {
        stub.on(.get, "/:number") { .text($0.parameters["number"] ?? "") }
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<20 {
                group.addTask {
                    for number in 0..<500 {
                        let path = "\(worker * 500 + number)"
                        #expect((try? await api.text(path)) == path)
                    }
                }
            }
        }
        #expect(Set(stub.requests.map(\.path)).count == 10_000)
        #expect(stub.requests.map(\.number) == Array(1...10_000))
    }
}

extension HTTPSessionManager {
    /// Returns the text of an acceptable response.
    func text(
        _ path: String, _ method: HTTPMethod = .get, _ parameters: Parameters? = nil,
        _ headers: HTTPHeaders = [:]
    ) async throws -> String {
        try await response(
            method, path, parameters: parameters, headers: headers,
            serializer: StringResponseSerializer()
        ).result.get()
    }
}
