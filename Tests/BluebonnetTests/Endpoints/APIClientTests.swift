import BluebonnetChain
import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

/// The data of a users server.
struct TestUser: Codable, Sendable, Hashable {
    var id: Int
    var fullName: String
}

private struct GetUser: APIRequest {
    typealias Response = TestUser
    var id: any CustomStringConvertible & Sendable
    var path: String { "/users/{id}" }
    var pathParameters: PathParameters { ["id": id] }
}

private struct Filter: Encodable {
    var name: String?
    var limit = 10
}

private struct ListUsers: APIRequest {
    typealias Response = [TestUser]
    var path = "/users"
    var query = Filter()
}

private struct FindUsers: APIRequest {
    typealias Response = [TestUser]
    var path = "/users"
    var method = HTTPMethod("QUERY")
    var headers: HTTPHeaders = ["X-Request": "1"]
    var query: Filter?
    var body: TestUser?
}

private struct Delete: APIRequest {
    var path = "/users/7"
    var method = HTTPMethod.delete
}

@Suite("Requests with typed responses", .timeLimit(.minutes(1)))
struct APIClientTests {
    private let stub = StubTransport()
    private let base: URL

    init() throws {
        base = try #require(URL(string: "http://stub.test/v1?key=k"))
    }

    private func client(
        interceptors: [any RequestInterceptor] = [], monitors: [any TaskEventMonitor] = [],
        encoder: JSONBodyEncoder? = nil, decoder: (any DataDecoder)? = nil
    ) -> APIClient {
        .stubbed(
            by: stub, baseURL: base, interceptors: interceptors, monitors: monitors,
            encoder: encoder, decoder: decoder)
    }

    private func failure<Value>(
        _ body: () async throws(BluebonnetError) -> Value
    ) async throws -> BluebonnetError {
        do throws(BluebonnetError) {
            let value = try await body()
            Issue.record("\(value)")
            return .invalidRequest("none", .init())
        } catch {
            return error
        }
    }

    // MARK: Requests

    @Test("a request is sent to its path below the base URL, and its response is decoded")
    func sends() async throws {
        stub.on(.get, "/v1/users/:id") {
            .json(TestUser(id: 7, fullName: $0.parameters["id"] ?? ""))
        }
        let user = try await client().send(GetUser(id: 7))
        #expect(user == TestUser(id: 7, fullName: "7"))
        let request = stub.requests[0]
        #expect(request.url.absoluteString == "http://stub.test/v1/users/7?key=k")
        #expect(request.body.isEmpty && request.headers["Content-Type"] == nil)
        let odd = try await client().send(GetUser(id: "a/../b?c"))
        #expect(odd.fullName == "a/../b?c" && stub.requests[1].path == "/v1/users/a%2F..%2Fb%3Fc")
    }

    @Test("query, body and fields are sent, or omitted if nil")
    func parts() async throws {
        stub.on("/v1/users", .json([TestUser]()))
        let client = client()
        _ = try await client.send(ListUsers(query: Filter(name: "a b")))
        _ = try await client.send(
            FindUsers(query: Filter(), body: TestUser(id: 1, fullName: "n")))
        _ = try await client.send(FindUsers(body: TestUser(id: 1, fullName: "n")))
        _ = try await client.send(FindUsers())
        let requests = stub.requests
        #expect(
            requests.map { $0.url.query ?? "" } == [
                "key=k&limit=10&name=a%20b", "key=k&limit=10", "key=k", "key=k",
            ])
        #expect(requests.map(\.method) == [.get, "QUERY", "QUERY", "QUERY"])
        #expect(try requests[1].json() == TestUser(id: 1, fullName: "n"))
        #expect(requests.map { $0.body.count > 0 } == [false, true, true, false])
        #expect(
            requests.map { $0.headers["Content-Type"] } == [
                nil, "application/json", "application/json", nil,
            ])
        #expect(requests[3].headers["X-Request"] == "1")
    }

    @Test("a client writes parameters as the verbs of its session do")
    func sessionEncoders() async throws {
        struct Change: Encodable, Sendable {
            let isOpen = true
            let since = Date(timeIntervalSince1970: 0)
            let zeta = 1
            let alpha = 2
        }
        struct Put: APIRequest {
            let path = "/change"
            let method = HTTPMethod.put
            let query = ["open": true]
            let body = Change()
        }
        stub.on("/v1/change", .status(204))
        let client = client()
        _ = try await client.send(Put())
        client.session.json.encoder.keys = .snakeCase
        client.session.queryEncoding.booleans = .literal
        _ = try await client.send(Put())
        try await client.session.put("http://stub.test/v1/change", parameters: Change())
        let date = #""since":"1970-01-01T00:00:00Z","zeta":1}"#
        #expect(
            stub.requests.map(\.text) == [
                #"{"alpha":2,"isOpen":true,"# + date, #"{"alpha":2,"is_open":true,"# + date,
                #"{"alpha":2,"is_open":true,"# + date,
            ])
        #expect(stub.requests.map(\.url.query) == ["key=k&open=1", "key=k&open=true", nil])
    }

    @Test("a body that is a single value fails, and can be uploaded as bytes")
    func singleValue() async throws {
        struct Rename: APIRequest {
            var path = "/name"
            var method = HTTPMethod.put
            var body = "n"
        }
        struct Upload: APIUpload {
            let path = "/name"
            let headers: HTTPHeaders = ["Content-Type": "application/json"]
            let content = RequestBody.data(Data(#""n""#.utf8))
        }
        stub.on("/v1/name", .status(204))
        let client = client()
        let error = try await failure { () throws(BluebonnetError) in
            try await client.send(Rename())
        }
        #expect("\(error)".contains("a single value"), "\(error)")
        try await client.send(Upload())
        #expect(stub.requests.map(\.text) == [#""n""#])
        #expect(stub.requests[0].headers["Content-Type"] == "application/json")
    }

    @Test("a stream that is sent as a request fails, since it might never end")
    func sentStream() async throws {
        struct Watch: APIStream {
            typealias Element = TestUser
            let path = "/users/changes"
        }
        let client = client()
        let error = try await failure { () throws(BluebonnetError) in
            try await client.send(Watch())
        }
        #expect("\(error)".contains("Watch is a stream; read it with stream(_:)"), "\(error)")
        #expect(stub.requests.isEmpty)
    }

    @Test("a stub answers the request of a client by its method, URL and query")
    func stubbed() async throws {
        let client = client()
        let route = try stub.on(
            ListUsers(query: Filter(name: "a b")), of: client, .json([TestUser]()))
        _ = try await client.send(ListUsers(query: Filter(name: "a b")))
        let error = try await failure { () throws(BluebonnetError) in
            try await client.send(ListUsers(query: Filter(name: "c")))
        }
        #expect("\(error)".contains("no route for GET http://stub.test/v1/users?"), "\(error)")
        #expect(route.requests.count == 1)
        struct Several: APIRequest {
            let path = "/several"
            var query = ["id": [1, 2]]
        }
        try stub.on(Several(), of: client, .status(204))
        _ = try await client.send(Several())
        let other = try await failure { () throws(BluebonnetError) in
            try await client.send(Several(query: ["id": [3, 2]]))
        }
        #expect("\(other)".contains("no route"), "\(other)")
        struct Nameless: APIRequest {
            let path = "/users/{id}"
        }
        #expect(throws: BluebonnetError.self) { try stub.on(Nameless(), of: client, .status(204)) }
    }

    @Test("a request's coders come before the client's, and those before the session's")
    func coders() async throws {
        stub.on("/v1/**", .data(Data(#"{"id":1,"full_name":"n"}"#.utf8), type: "application/json"))
        var encoder = JSONBodyEncoder()
        let decoder = JSONDecoder()
        encoder.keys = .snakeCase
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        struct Put: APIRequest {
            typealias Response = TestUser
            let path = "/users/1"
            let body = TestUser(id: 1, fullName: "n")
        }
        let user = try await client(encoder: encoder, decoder: decoder).send(Put())
        #expect(user.fullName == "n" && stub.requests[0].text.contains("full_name"))
        struct Own: APIRequest {
            typealias Response = TestUser
            let path = "/users/1"
            let body = TestUser(id: 2, fullName: "n")
            let decoder: JSONDecoder
            var options: RequestOptions {
                [.encoder(JSONBodyEncoder(writingOptions: .prettyPrinted)), .decoder(decoder)]
            }
        }
        _ = try await client(encoder: encoder).send(Own(decoder: decoder))
        #expect(stub.requests[1].text.contains("  \"fullName\""))
        let plain = client()
        let error = try await failure { () throws(BluebonnetError) in try await plain.send(Put()) }
        #expect("\(error)".contains("fullName"))
        plain.session.json.decoder.keyDecodingStrategy = .convertFromSnakeCase
        #expect(try await plain.send(Put()).fullName == "n")
    }

    @Test("a client and a request can have other kinds of decoders")
    func otherDecoders() async throws {
        let list = try PropertyListEncoder().encode(TestUser(id: 3, fullName: "p"))
        stub.on("/v1/**", .data(list, type: "application/x-plist"))
        #expect(try await client(decoder: PropertyListDecoder()).send(GetUser(id: 3)).id == 3)
        struct List: APIRequest {
            typealias Response = TestUser
            let path = "/users/3"
            var serializer: any ResponseSerializer<TestUser> {
                DecodableResponseSerializer(decoder: PropertyListDecoder())
            }
        }
        #expect(try await client().send(List()).id == 3)
    }

    @Test("parameters can be uploaded as a form, and a response can be a string")
    func form() async throws {
        struct LogIn: APIUpload {
            typealias Response = String
            let path = "/login"
            let content = RequestBody.urlEncodedForm(["user": "a&b", "keep": true])
            var serializer: any ResponseSerializer<String> { StringResponseSerializer() }
        }
        stub.on(.post, "/v1/login", .text("welcome"))
        let client = client()
        client.session.queryEncoding.booleans = .literal
        #expect(try await client.send(LogIn()) == "welcome")
        let type = "application/x-www-form-urlencoded"
        #expect(stub.requests[0].text == "keep=true&user=a%26b")
        #expect(stub.requests[0].headers["Content-Type"] == type)
        client.session.upload(
            .urlEncodedForm(["a": 1]), to: "http://stub.test/v1/login", serializer: .string
        ) { _ in }
        #expect(await until { stub.requests.count == 2 })
        #expect(stub.requests[1].text == "a=1" && stub.requests[1].headers["Content-Type"] == type)
    }

    @Test("an empty body is a value if no body is needed, and an error otherwise")
    func emptyBody() async throws {
        stub.on("/v1/**", .status(204), .text("OK"), .status(204))
        #expect(try await client().send(Delete()) == EmptyBody())
        #expect(try await client(decoder: PropertyListDecoder()).send(Delete()) == EmptyBody())
        let client = client()
        let error = try await failure { () throws(BluebonnetError) in
            try await client.send(GetUser(id: 7))
        }
        guard case .unreadableBody = error else {
            Issue.record("\(error)")
            return
        }
    }

    @Test(
        "a path that leads elsewhere, or lacks a value, fails the call before it is sent",
        arguments: ["..", "", "."])
    func badPaths(value: String) async throws {
        let client = client()
        let error = try await failure { () throws(BluebonnetError) in
            try await client.send(GetUser(id: value))
        }
        guard case .invalidRequest(let text, _) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(text.contains("path parameter \"id\""))
        #expect(stub.requests.isEmpty)
    }

    // MARK: Responses

    @Test("a status code outside 200 to 299 is the error, with the body")
    func validation() async throws {
        stub.on("/v1/**", .json(TestUser(id: 0, fullName: "gone"), status: 404))
        let client = client()
        let error = try await failure { () throws(BluebonnetError) in
            try await client.send(GetUser(id: 7))
        }
        guard case .unacceptableStatus(404, _) = error else {
            Issue.record("\(error)")
            return
        }
        let response = await client.sendResponse(GetUser(id: 7))
        #expect(response.head?.statusCode == 404 && response.parsedBody?.fullName == "gone")
        #expect(response.data?.isEmpty == false && response.metrics != nil)
    }

    @Test("a request can define its successful status codes")
    func ownStatuses() async throws {
        struct Refresh: APIRequest {
            let path = "/users"
            let headers: HTTPHeaders = ["If-None-Match": "\"1\""]
            let acceptableStatusCodes: Set<Int>? = [200, 304]
        }
        stub.on("/v1/users", .status(304), .status(201))
        #expect(await client().sendResponse(Refresh()).head?.statusCode == 304)
        #expect(await client().sendResponse(Refresh()).error?.responseCode == 201)
    }

    @Test("a stored property that the protocol does not see fails the call with an explanation")
    func foreignMembers() async throws {
        struct Name { let name: String }
        struct Body: APIRequest {
            let path = "/users"
            let body = Name(name: "secret")
        }
        struct Fields: APIRequest {
            let path = "/users"
            let headers = ["X-A": "secret"]
        }
        struct Verb: APIRequest {
            let path = "/users"
            let method = "POST"
        }
        struct Names: APIRequest {
            let path = "/users/{id}"
            let pathParameters = ["id": "secret"]
        }
        struct Former: APIRequest {
            let path = "/users"
            let validationType = 200
        }
        let client = client()
        for (response, name) in [
            (await client.sendResponse(Former()), "set acceptableStatusCodes"),
            (await client.sendResponse(Body()), "Body.body would not be sent: it is Name"),
            (await client.sendResponse(Fields()), "Fields.headers would not be sent"),
            (await client.sendResponse(Verb()), "Verb.method would not be sent: it is String"),
            (await client.sendResponse(Verb()), "rather than HTTPMethod"),
            (await client.sendResponse(Names()), "has no value for \"id\""),
        ] {
            guard case .invalidRequest(let text, _)? = response.error else {
                Issue.record("\(response)")
                continue
            }
            #expect(text.contains(name) && !text.contains("secret"), "\(text)")
        }
        #expect(stub.requests.isEmpty)
    }

    @Test("the whole response has head, metrics and value")
    func wholeResponse() async throws {
        stub.on("/v1/**", StubResponse.json(TestUser(id: 7, fullName: "n")).header("X-A", "b"))
        let response = await client().sendResponse(GetUser(id: 7))
        #expect(response.value?.id == 7 && response.headers["X-A"] == "b")
        #expect(response.request?.url?.path == "/v1/users/7" && response.metrics != nil)
        #expect(response.serializationDuration > 0)
    }

    @Test("a body of another type is an error with its key path")
    func undecodable() async throws {
        stub.on("/v1/**", .json(["id": "x", "fullName": "n"] as [String: String]))
        let client = client()
        let error = try await failure { () throws(BluebonnetError) in
            try await client.send(GetUser(id: 7))
        }
        guard case .unreadableBody(let text, let context) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(text.contains("id: expected Int"), "\(text)")
        #expect(context.head?.statusCode == 200 && context.request != nil)
    }

    // MARK: Interceptors and monitors

    private struct Noting: RequestInterceptor {
        let name: String
        let log: Recorder<String>

        func adapt(
            _ urlRequest: URLRequest, using state: RequestAdapterState
        ) async throws -> URLRequest {
            log.add("\(name) \(state.request.attributes.tag ?? "no tag")")
            return urlRequest
        }
    }

    @Test("the session's interceptors come first, then the client's, then the request's")
    func interceptors() async throws {
        struct Tagged: APIRequest {
            let path = "/users"
            let log: Recorder<String>
            var options: RequestOptions {
                [.tag("t"), .interceptor(Noting(name: "request", log: log))]
            }
        }
        let log = Recorder<String>()
        stub.on("/v1/**", .status(503), .status(204))
        let client = client(interceptors: [
            Noting(name: "client", log: log), RetryPolicy(exponentialBackoffScale: 0),
        ])
        client.session.interceptors = [Noting(name: "session", log: log)]
        try await client.send(Tagged(log: log))
        #expect(
            log.all
                == Array(repeating: ["session t", "client t", "request t"], count: 2)
                .flatMap(\.self))
    }

    private struct Refusing: RequestInterceptor {
        struct OwnError: Error {}

        func adapt(_ urlRequest: URLRequest, for session: Session) async throws -> URLRequest {
            throw OwnError()
        }
    }

    @Test("an interceptor that fails is the error of the call, and nothing is sent")
    func failingInterceptor() async throws {
        let client = client(interceptors: [Refusing()])
        let error = try await failure { () throws(BluebonnetError) in
            try await client.send(GetUser(id: 7))
        }
        guard case .adaptation = error else {
            Issue.record("\(error)")
            return
        }
        #expect(error.context.underlying is Refusing.OwnError && stub.requests.isEmpty)
    }

    private struct Watching: TaskEventMonitor {
        let interests: TaskEvent.Interests = [.completed]
        let log: Recorder<String>

        func tasksDidEmit(_ events: [TaskEvent]) {
            for event in events { log.add(event.task.originalRequest?.url?.path ?? "none") }
        }
    }

    @Test("a client's monitors receive the events of its session")
    func monitors() async throws {
        let log = Recorder<String>()
        stub.on("/v1/**", .status(204))
        try await client(monitors: [Watching(log: log)]).send(Delete())
        #expect(await log.wait(for: 1) == ["/v1/users/7"])
    }

    // MARK: Calls

    @Test("canceling the Swift task cancels the call, before it starts and while it waits")
    func cancelling() async throws {
        let reached = Recorder<Void>()
        stub.on("/v1/**") { _ in
            reached.add(())
            return .silence
        }
        let client = client()
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await client.sendResponse(GetUser(id: 7))
        }
        #expect(await early.value.error?.isCancelled == true && stub.requests.isEmpty)
        let late = Task { await client.sendResponse(GetUser(id: 7)) }
        await reached.wait(for: 1)
        late.cancel()
        #expect(await late.value.error?.isCancelled == true)
    }
}
