import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import Testing

@Suite("Uploads over sockets", .timeLimit(.minutes(5)))
struct UploadBytesTests {
    enum Kind: CaseIterable, Sendable {
        case data, file, stream, sizedStream, ownStream, sizedOwnStream

        var isOwnStream: Bool { self == .ownStream || self == .sizedOwnStream }
    }

    static let body = DeterministicBytes.prefix(700_000)

    let server: FixtureServer
    let manager: HTTPSessionManager
    let directory: ServerDirectory
    let file: URL

    init() throws {
        server = try FixtureServer()
        server.recordsRequests = true
        manager = HTTPSessionManager(baseURL: URL(string: server.baseURL))
        directory = try ServerDirectory()
        file = URL(fileURLWithPath: directory.path(of: "body"))
        try Data(Self.body).write(to: file)
    }

    /// Sends the body to a path and returns the response.
    func upload(
        _ kind: Kind, to path: String, method: String = "POST",
        progress: ProgressHandler? = nil
    ) async throws -> Response<Data> {
        var request = URLRequest(url: try #require(manager.url(for: path)))
        request.httpMethod = method
        request.setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
        let serializer = HTTPResponseSerializer()
        let bytes: BodyStreamFactory = { InputStream(data: Data(Self.body)) }
        if kind.isOwnStream { request.httpBodyStream = try bytes() }
        if kind == .sizedOwnStream {
            request.setValue("\(Self.body.count)", forHTTPHeaderField: "Content-Length")
        }
        return await withCheckedContinuation { [request] continuation in
            let handler: @Sendable (Response<Data>) -> Void = { continuation.resume(returning: $0) }
            switch kind {
            case .data:
                manager.uploadTask(
                    with: request, from: Data(Self.body), serializer: serializer,
                    uploadProgress: progress, completionHandler: handler
                ).resume()
            case .file:
                manager.uploadTask(
                    with: request, fromFile: file, serializer: serializer,
                    uploadProgress: progress, completionHandler: handler
                ).resume()
            case .stream, .sizedStream:
                manager.uploadTask(
                    withStreamedRequest: request,
                    length: kind == .stream ? nil : Int64(Self.body.count), body: bytes,
                    serializer: serializer, uploadProgress: progress, completionHandler: handler
                ).resume()
            case .ownStream, .sizedOwnStream:
                manager.dataTask(
                    with: request, serializer: serializer, uploadProgress: progress,
                    completionHandler: handler
                ).resume()
            }
        }
    }

    @Test(
        "the server gets every byte, with a length if known and chunked otherwise",
        arguments: Kind.allCases, ["POST", "PUT"])
    func bytes(kind: Kind, method: String) async throws {
        let response = try await upload(kind, to: "echo-body", method: method)
        #expect(response.value == Data(Self.body))
        let request = try #require(server.recordedRequests.first)
        #expect(request.method == method && request.body == Self.body)
        let isChunked = kind == .stream || kind == .ownStream
        #expect(request.headers["Content-Length"] == (isChunked ? nil : "700000"))
        #expect(request.headers["Transfer-Encoding"] == (isChunked ? "chunked" : nil))
        #expect(request.headers["Content-Type"] == "application/octet-stream")
        #expect(request.headers["Expect"] == nil)
    }

    @Test(
        "progress ends at the total, and is reported about a hundred times at most",
        arguments: Kind.allCases)
    func progress(kind: Kind) async throws {
        let counts = Counts()
        let response = try await upload(kind, to: "echo-body") {
            counts.add($0.completedUnitCount, $0.totalUnitCount)
        }
        #expect(response.error == nil)
        let all = counts.all
        #expect(all.last?.completed == 700_000)
        #expect(all.count < 400)
        #expect(all.map(\.completed) == all.map(\.completed).sorted())
        let isUnknown = kind == .stream || kind == .ownStream
        #expect(all.allSatisfy { $0.total == (isUnknown ? -1 : 700_000) })
    }

    @Test(
        "307 and 308 resend the body, and 303 leads to a GET without one",
        arguments: [Kind.data, .file, .stream, .sizedStream], [307, 308, 303])
    func redirected(kind: Kind, status: Int) async throws {
        server.route("/from") { _ in
            .response(status: status, headers: [("Location", "/echo-body")])
        }
        let response = try await upload(kind, to: "from", method: "POST")
        let second = try #require(server.recordedRequests.last)
        #expect(server.recordedRequests.count == 2)
        #expect(second.method == (status == 303 ? "GET" : "POST"))
        #expect(second.body == (status == 303 ? [] : Self.body))
        #expect(response.error == nil)
    }

    @Test("the hook creates another stream when an httpBodyStream must be sent again")
    func newStream() async throws {
        server.route("/from") { _ in
            .response(status: 307, headers: [("Location", "/echo-body")])
        }
        manager.taskNeedsNewBodyStream = { _ in { InputStream(data: Data(Self.body)) } }
        let response = try await upload(.ownStream, to: "from")
        #expect(response.value == Data(Self.body))
        manager.taskNeedsNewBodyStream = nil
        let failed = try await upload(.ownStream, to: "from")
        #expect(failed.error?.urlError.code == .requestBodyStreamExhausted)
    }

    @Test(
        "a file that shrinks or vanishes under way fails, and no whole body arrives (fault 80)",
        arguments: [true, false])
    func changed(isRemoved: Bool) async throws {
        // Longer than the contents of the sockets and the reader.
        let large = URL(fileURLWithPath: directory.path(of: "large"))
        try Data(count: 40_000_000).write(to: large)
        var request = URLRequest(url: try #require(manager.url(for: "echo")))
        request.httpMethod = "PUT"
        let path = large.path
        let once = Once()
        let response = await withCheckedContinuation { [request] continuation in
            manager.uploadTask(
                with: request, fromFile: large, serializer: HTTPResponseSerializer(),
                uploadProgress: { _ in
                    guard once.isFirst() else { return }
                    if isRemoved { unlink(path) } else { _ = truncate(path, 10) }
                }
            ) { continuation.resume(returning: $0) }.resume()
        }
        guard case .file(let failure, let context)? = response.error else {
            Issue.record("\(response)")
            return
        }
        #expect(failure.path == path && context.underlying is FileFailure)
        #expect(server.recordedRequests.isEmpty)
    }

    @Test(
        "a file whose reported size is 0 is not sent as an empty body (fault 80)",
        arguments: [true, false])
    func reportedAsEmpty(isInForm: Bool) async throws {
        let status = URL(fileURLWithPath: "/proc/self/status")
        var body = RequestBody.file(status)
        if isInForm {
            var form = MultipartFormData()
            try form.appendPart(fileURL: status, name: "status")
            body = .form(form)
        }
        let error = await #expect(throws: BluebonnetError.self) {
            _ = try await manager.upload(body, to: "echo")
        }
        let description = error.map { "\($0)" } ?? ""
        #expect(description.contains("\"/proc/self/status\": its reported size is 0 bytes"))
        #expect(description.contains("read it into Data"))
        #expect(server.recordedRequests.isEmpty)
    }

    @Test("a stream that is announced as empty and is not is not sent as an empty body (fault 80)")
    func announcedAsEmpty() async throws {
        let error = await #expect(throws: BluebonnetError.self) {
            _ = try await manager.upload(
                .stream(length: 0) { InputStream(data: Data([1])) }, to: "echo")
        }
        #expect((error?.context.underlying as? StreamFailure)?.reason == .tooLong)
        #expect(server.recordedRequests.isEmpty)
        let empty = try await manager.upload(
            .stream(length: 0) { InputStream(data: Data()) }, to: "echo-body", method: .put)
        #expect(empty.isEmpty)
        #expect(server.recordedRequests.last?.headers["Content-Length"] == "0")
    }

    @Test(
        "a stream that is too short or long, or fails, is the body's error (fault 80)",
        arguments: [
            (StreamFailure.Reason.tooShort, Int64(700_001)), (.tooLong, 699_999),
            (.unusable, 700_000),
        ])
    func badStream(reason: StreamFailure.Reason, length: Int64) async throws {
        struct Refusal: Error {}
        var request = URLRequest(url: try #require(manager.url(for: "echo")))
        request.httpMethod = "PUT"
        let response = await withCheckedContinuation { [request] continuation in
            manager.uploadTask(
                withStreamedRequest: request, length: length,
                body: {
                    if reason == .unusable { throw Refusal() }
                    return InputStream(data: Data(Self.body))
                }, serializer: HTTPResponseSerializer()
            ) { continuation.resume(returning: $0) }.resume()
        }
        guard case .requestBody(_, let context)? = response.error else {
            Issue.record("\(response)")
            return
        }
        #expect((context.underlying as? StreamFailure)?.reason == reason)
        #expect(server.recordedRequests.isEmpty)
    }
}

/// Progress counts, in order.
final class Counts: @unchecked Sendable {
    // @unchecked: every use of the list is under the lock.
    private let lock = NSLock()
    private var list: [(completed: Int64, total: Int64)] = []

    func add(_ completed: Int64, _ total: Int64) {
        lock.withLock { list.append((completed, total)) }
    }

    var all: [(completed: Int64, total: Int64)] { lock.withLock { list } }
}

/// Returns true once.
final class Once: @unchecked Sendable {
    // @unchecked: every use of the flag is under the lock.
    private let lock = NSLock()
    private var isOver = false

    func isFirst() -> Bool {
        lock.withLock {
            defer { isOver = true }
            return !isOver
        }
    }
}
