import Bluebonnet
import BluebonnetEcosystem
import BluebonnetTesting
import Foundation
import HTTPTypes
import OpenAPIRuntime
import Testing

@Suite("A transport of generated clients", .timeLimit(.minutes(1)))
struct OpenAPITransportTests {
    private let stub = StubTransport()
    private let manager: SessionManager

    init() { manager = SessionManager(transport: stub) }

    private func client(_ server: String = "https://api.test/v1") throws -> PetClient {
        PetClient(
            serverURL: try #require(URL(string: server)), transport: OpenAPITransport(manager))
    }

    @Test("a call without a body is sent below the server's URL, and its JSON is decoded")
    func get() async throws {
        stub.on(.get, "/v1/pets/7", .json(["name": "Ada"]))
        let output = try await client().getPet(.init(id: 7, fields: ["name", "a b"]))
        guard case .ok(let pet) = output else {
            Issue.record("\(output)")
            return
        }
        #expect(pet.name == "Ada")
        let sent = try #require(stub.requests.first)
        #expect(sent.url.absoluteString == "https://api.test/v1/pets/7?fields=name&fields=a%20b")
        #expect(sent.headers["Accept"] == "application/json")
        #expect(sent.attributes.tag == "getPet")
    }

    @Test(
        "the path follows that of the server's URL, with one slash between them",
        arguments: [
            ("https://api.test", "https://api.test/pets/1"),
            ("https://api.test/", "https://api.test/pets/1"),
            ("https://api.test/v1/", "https://api.test/v1/pets/1"),
            ("https://api.test:8443/v1?a=b#c", "https://api.test:8443/v1/pets/1"),
        ])
    func join(server: String, url: String) async throws {
        stub.on(.get, "/pets/1", .json(["name": "Ada"]))
        stub.on(.get, "/v1/pets/1", .json(["name": "Ada"]))
        _ = try await client(server).getPet(.init(id: 1))
        #expect(stub.requests.map(\.url.absoluteString) == [url])
    }

    @Test("a body of JSON is sent with its type and length")
    func post() async throws {
        stub.on(.post, "/v1/pets", .status(201))
        #expect(try await client().addPet(.init(name: "Ada")) == 201)
        let sent = try #require(stub.requests.first)
        #expect(try sent.json(as: PetClient.Pet.self) == .init(name: "Ada"))
        #expect(sent.headers["Content-Type"] == "application/json; charset=utf-8")
        #expect(sent.headers.values(of: "Content-Length").count <= 1)
    }

    @Test("a response of any status reaches the client")
    func status() async throws {
        stub.on(.get, "/v1/pets/7", .text("gone", status: 410))
        guard
            case .undocumented(410, let payload) = try await client().getPet(.init(id: 7)),
            let body = payload.body
        else {
            Issue.record("the status is another one")
            return
        }
        #expect(try await String(collecting: body, upTo: 10) == "gone")
    }

    @Test("a response that cannot have a body has none, and its task ends")
    func noBody() async throws {
        stub.on(.get, "/v1/none", .status(204))
        let url = try #require(URL(string: "https://api.test/v1"))
        let (response, body) = try await OpenAPITransport(manager).send(
            HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/none"), body: nil,
            baseURL: url, operationID: "none")
        #expect(response.status.code == 204 && body == nil)
        await manager.shutdown()
    }

    @Test("the client's error has the manager's error as it is")
    func failure() async throws {
        stub.on(.get, "/v1/pets/7", .failure(.timedOut))
        let error = await #expect(throws: ClientError.self) {
            try await client().getPet(.init(id: 7))
        }
        let underlying = try #require(error?.underlyingError as? BluebonnetError)
        #expect(underlying.urlError.code == .timedOut)
    }

    @Test("an error of the body that is sent is the underlying error of the manager's error")
    func bodyFailure() async throws {
        struct Fault: Error {}
        stub.on(.post, "/v1/a", .status(200))
        let pieces = AsyncThrowingStream<HTTPBody.ByteChunk, any Error> { continuation in
            continuation.yield([1, 2])
            continuation.finish(throwing: Fault())
        }
        let error = await #expect(throws: ClientError.self) {
            try await client().upload(HTTPBody(pieces, length: .unknown), to: "/a")
        }
        guard case .requestBody(_, let context)? = error?.underlyingError as? BluebonnetError else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.underlying is Fault)
    }

    @Test("an error in the middle of a response reaches the reader of its body")
    func cutResponse() async throws {
        stub.on(.get, "/v1/a", .data(Data(repeating: 1, count: 1000)).cut(after: 10))
        let body = try await client().download("/a")
        await #expect(throws: BluebonnetError.self) {
            for try await _ in body {}
        }
    }

    @Test(
        "a server's URL without scheme or host is refused",
        arguments: ["/", "api.test", "//api.test"])
    func badServer(server: String) async throws {
        let error = await #expect(throws: ClientError.self) {
            try await client(server).getPet(.init(id: 7))
        }
        guard case .invalidRequest(let reason, _)? = error?.underlyingError as? BluebonnetError
        else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("URL"))
    }

    @Test("a body that can be iterated again follows a redirect, and another one cannot")
    func replay() async throws {
        stub.on(.post, "/v1/old", .redirect(to: "/v1/new", status: 307))
        stub.on(.post, "/v1/new", .text("abc"))
        let pieces: [HTTPBody.ByteChunk] = [[1, 2], [3]]
        func body(_ behavior: IterationBehavior) -> HTTPBody {
            HTTPBody(
                AsyncStream { continuation in
                    for piece in pieces { continuation.yield(piece) }
                    continuation.finish()
                }, length: .known(Int64(3)), iterationBehavior: behavior)
        }
        _ = try await client().upload(HTTPBody([1, 2, 3] as [UInt8]), to: "/old")
        #expect(stub.requests(to: "/v1/new").map(\.body) == [Data([1, 2, 3])])
        await #expect(throws: ClientError.self) {
            try await client().upload(body(.single), to: "/old")
        }
        #expect(stub.requests(to: "/v1/new").count == 1)
    }

    @Test("canceling the Swift task cancels the request and the body that is sent")
    func cancel() async throws {
        stub.on(.post, "/v1/a", .silence)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let pieces = AsyncStream<HTTPBody.ByteChunk> {
            begin.yield()
            try? await Task.sleep(for: .seconds(3600))
            return nil
        } onCancel: {
            end.finish()
        }
        let body = HTTPBody(pieces, length: .unknown)
        let client = try client()
        let call = Task { try await client.upload(body, to: "/a") }
        for await _ in begun { break }
        call.cancel()
        let error = await #expect(throws: ClientError.self) { try await call.value }
        #expect((error?.underlyingError as? BluebonnetError)?.isCancelled == true)
        for await _ in ends {}
        await manager.shutdown()
    }

    @Test("releasing a response's body before its end cancels the request")
    func release() async throws {
        stub.on(.get, "/v1/a", .data(Data(repeating: 1, count: 1000)).stalled(after: 10))
        _ = try await client().download("/a")
        // It waits for the task's end.
        await manager.shutdown()
    }

    @Test("canceling the Swift task that reads a response cancels the request")
    func cancelReading() async throws {
        stub.on(.get, "/v1/a", .data(Data(repeating: 1, count: 1000)).stalled(after: 10))
        let body = try await client().download("/a")
        let reading = Task {
            for try await _ in body {}
        }
        reading.cancel()
        let error = await #expect(throws: BluebonnetError.self) { try await reading.value }
        #expect(error?.isCancelled == true)
        await manager.shutdown()
    }
}
