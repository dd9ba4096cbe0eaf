import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

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
struct TargetClientTests {
    private let stub = StubTransport()
    private let base: URL

    init() throws {
        base = try #require(URL(string: "http://stub.test/v1?key=k"))
    }

    private func client(
        _ plugins: any PluginType..., encoder: JSONEncoder? = nil,
        decoder: (any DataDecoder)? = nil
    ) -> TargetClient {
        .stubbed(by: stub, baseURL: base, plugins: plugins, encoder: encoder, decoder: decoder)
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

    @Test("a body that is a single value fails, unless its task has an encoder")
    func singleValue() async throws {
        struct Rename: APIRequest {
            var path = "/name"
            var body = "n"
            var encoder: JSONEncoder?
            var task: TargetTask {
                encoder.map { .requestCustomJSONEncodable(body, encoder: $0) }
                    ?? .requestJSONEncodable(body)
            }
        }
        stub.on("/v1/name", .status(204))
        let client = client()
        let error = try await failure { () throws(BluebonnetError) in
            try await client.send(Rename())
        }
        #expect("\(error)".contains("a single value"), "\(error)")
        _ = try await client.send(Rename(encoder: JSONEncoder()))
        #expect(stub.requests.map(\.text) == [#""n""#])
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
        #expect(throws: TargetError.self) { try stub.on(Nameless(), of: client, .status(204)) }
    }

    @Test("a client's coders apply to its bodies, with the session's decoder as the default")
    func coders() async throws {
        stub.on("/v1/**", .data(Data(#"{"id":1,"full_name":"n"}"#.utf8), type: "application/json"))
        let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
        encoder.keyEncodingStrategy = .convertToSnakeCase
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        struct Put: APIRequest {
            typealias Response = TestUser
            let path = "/users/1"
            let body = TestUser(id: 1, fullName: "n")
        }
        let user = try await client(encoder: encoder, decoder: decoder).send(Put())
        #expect(user.fullName == "n" && stub.requests[0].text.contains("full_name"))
        struct Composite: APIRequest {
            typealias Response = TestUser
            let path = "/users/1"
            var task: TargetTask {
                .requestCompositeEncodable(
                    body: TestUser(id: 2, fullName: "n"), query: ["a": 1])
            }
        }
        _ = try await client(encoder: encoder, decoder: decoder).send(Composite())
        #expect(stub.requests[1].text.contains("full_name"))
        #expect(stub.requests[1].url.query == "key=k&a=1")
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

    @Test("a request can create its own task and value, such as a form and a string")
    func ownTask() async throws {
        struct Login: APIRequest {
            let path = "/login"
            let method = HTTPMethod.post
            var task: TargetTask {
                .requestParameters(parameters: ["user": "a&b"], encoding: URLEncoding.httpBody)
            }
            typealias Response = String
            var serializer: any ResponseSerializer<String> { StringResponseSerializer() }
        }
        stub.on(.post, "/v1/login", .text("welcome"))
        #expect(try await client().send(Login()) == "welcome")
        #expect(stub.requests[0].text == "user=a%26b")
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
            let validationType: ValidationType = .customCodes([200, 304])
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
        let client = client()
        for (response, name) in [
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

    // MARK: Plugins

    private struct Seeing: PluginType {
        let log: Recorder<String>

        func willSend(_ request: any RequestType, target: any TargetType) {
            let own = (target as? APIRequestTarget)?.request as? GetUser
            log.add(
                "send \(own?.id.description ?? "none") \(target.path) \(target.method.rawValue)")
        }

        func didReceive(_ result: Result<TargetResponse, TargetError>, target: any TargetType) {
            log.add("receive \(NotingPlugin.text(result))")
        }
    }

    @Test("plugins see each request as a target, even if it fails")
    func plugins() async throws {
        let log = Recorder<String>()
        stub.on("/v1/**", .json(TestUser(id: 7, fullName: "n")), .status(500))
        let client = client(Seeing(log: log))
        _ = try await client.send(GetUser(id: 7))
        _ = await client.sendResponse(GetUser(id: "a b"))
        _ = await client.sendResponse(GetUser(id: ""))
        #expect(
            log.all == [
                "send 7 /users/7 GET", "receive 200", "send a b /users/a%20b GET",
                "receive validation 500", "receive encoding",
            ])
    }

    @Test("a request that needs a token gets it from the plugin")
    func tokens() async throws {
        struct Private: APIRequest, AccessTokenAuthorizable {
            let path = "/private"
            let authorizationType: AuthorizationType? = .bearer
        }
        stub.on("/v1/**", .status(204))
        let client = client(AccessTokenPlugin { _ in "secret" })
        _ = try await client.send(Private())
        _ = try await client.send(Delete())
        #expect(
            stub.requests.map { $0.headers["Authorization"] } == ["Bearer secret", nil])
    }

    @Test("logs contain the request's type, without its values")
    func logs() async throws {
        let log = Recorder<String>()
        stub.on("/v1/**", .failure(.networkConnectionLost))
        let logger = NetworkLoggerPlugin(
            configuration: .init(output: { _, items in for item in items { log.add(item) } }))
        _ = await client(logger).sendResponse(GetUser(id: "secret"))
        #expect(log.all.last?.contains("Error calling GetUser : ") == true, "\(log.all)")
    }

    private struct OwnError: Error {}

    private struct Mapping: PluginType {
        var fails = false
        let map: @Sendable (TargetResponse) -> Result<TargetResponse, TargetError>

        func prepare(
            _ request: URLRequest, target: any TargetType
        ) async throws -> URLRequest {
            if fails { throw OwnError() }
            return request
        }

        func process(
            _ result: Result<TargetResponse, TargetError>, target: any TargetType
        ) -> Result<TargetResponse, TargetError> {
            switch result {
            case .success(let response): map(response)
            case .failure(let error): error.response.map(map) ?? result
            }
        }
    }

    @Test("the result of plugins is decoded")
    func processed() async throws {
        stub.on("/v1/**", .status(404), .text("x"))
        let plugin = Mapping { _ in
            .success(
                TargetResponse(statusCode: 201, data: Data(#"{"id":1,"fullName":"p"}"#.utf8)))
        }
        for _ in 0..<2 {
            let response = await client(plugin).sendResponse(GetUser(id: 7))
            #expect(response.value?.fullName == "p" && response.head?.statusCode == 201)
        }
    }

    @Test("the error has the refused response that plugins returned")
    func processedRefusal() async throws {
        stub.on("/v1/**", .status(404))
        struct Deciphering: PluginType {
            func process(
                _ result: Result<TargetResponse, TargetError>, target: any TargetType
            ) -> Result<TargetResponse, TargetError> {
                result.mapError { error in
                    guard case .underlying(let cause, let response?) = error else { return error }
                    let plain = Data(#"{"id":1,"fullName":"plain"}"#.utf8)
                    return .underlying(
                        cause, TargetResponse(statusCode: response.statusCode, data: plain))
                }
            }
        }
        let response = await client(Deciphering()).sendResponse(GetUser(id: 7))
        #expect(response.parsedBody?.fullName == "plain" && response.error?.responseCode == 404)
        #expect(response.error?.context.data == response.data)
    }

    @Test("errors of plugins are wrapped in the call's error")
    func pluginErrors() async throws {
        stub.on("/v1/**", .json(TestUser(id: 7, fullName: "n")), .status(404))
        let refusing = client(Mapping { .failure(.underlying(OwnError(), $0)) })
        let refused = try await failure { () throws(BluebonnetError) in
            try await refusing.send(GetUser(id: 7))
        }
        guard case .validation = refused else {
            Issue.record("\(refused)")
            return
        }
        #expect(refused.context.underlying is OwnError && refused.context.head?.statusCode == 200)
        let status = try await failure { () throws(BluebonnetError) in
            try await refusing.send(GetUser(id: 7))
        }
        guard case .unacceptableStatus(404, let context) = status else {
            Issue.record("\(status)")
            return
        }
        #expect(context.underlying is OwnError)
        let failing = client(Mapping(fails: true) { .success($0) })
        let failed = try await failure { () throws(BluebonnetError) in
            try await failing.send(GetUser(id: 7))
        }
        guard case .adaptation = failed else {
            Issue.record("\(failed)")
            return
        }
        #expect(failed.context.underlying is OwnError)
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
