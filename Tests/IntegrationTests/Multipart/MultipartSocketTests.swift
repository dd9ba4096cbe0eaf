import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation
import FoundationNetworking
import Testing

@Suite("Forms over sockets", .timeLimit(.minutes(5)))
struct MultipartSocketTests {
    let server: FixtureServer
    let manager: HTTPSessionManager
    let directory: ServerDirectory
    let file: URL

    init() throws {
        server = try FixtureServer()
        server.recordsRequests = true
        manager = HTTPSessionManager(baseURL: URL(string: server.baseURL))
        manager.responseSerializer = HTTPResponseSerializer()
        directory = try ServerDirectory()
        file = URL(fileURLWithPath: directory.path(of: "photo.png"))
        try Data(DeterministicBytes.prefix(700_000)).write(to: file)
    }

    func post(
        _ path: String, file: URL? = nil, progress: ProgressHandler? = nil,
        more: @escaping (inout MultipartFormData) -> Void = { _ in }
    ) async -> Response<Data> {
        await withCheckedContinuation { continuation in
            manager.post(
                path, parameters: ["a": 1], serializer: HTTPResponseSerializer(),
                options: progress.map { .uploadProgress($0) } ?? [],
                constructingBody: { form in
                    try form.appendPart(fileURL: file ?? self.file, name: "photo")
                    more(&form)
                }
            ) { continuation.resume(returning: $0) }
        }
    }

    @Test("307 and 308 resend the same form with its length", arguments: [307, 308])
    func redirected(status: Int) async throws {
        server.route("/from") { _ in
            .response(status: status, headers: [("Location", "/echo-body")])
        }
        let response = await post("from")
        let requests = server.recordedRequests
        #expect(requests.count == 2 && requests[0].body == requests[1].body)
        #expect(response.value == Data(requests[0].body))
        for request in requests {
            #expect(request.headers["Content-Length"] == "\(request.body.count)")
            #expect(request.headers["Transfer-Encoding"] == nil)
            #expect(request.headers["Content-Type"] == requests[0].headers["Content-Type"])
        }
        #expect(Data(requests[1].body).range(of: Data(DeterministicBytes.prefix(700_000))) != nil)
    }

    @Test("a challenge resends the form")
    func challenged() async throws {
        server.route("/private") { request in
            request.headers["Authorization"] == nil
                ? .response(status: 401, headers: [("WWW-Authenticate", "Basic realm=\"r\"")])
                : .response(status: 200)
        }
        manager.didReceiveChallenge = { _, _ in
            .useCredential(URLCredential(user: "u", password: "p", persistence: .none))
        }
        #expect(await post("private").head?.statusCode == 200)
        let requests = server.recordedRequests
        #expect(requests.count == 2 && requests[0].body == requests[1].body)
    }

    @Test("progress ends at the length of the whole form")
    func progress() async throws {
        let counts = Counts()
        let response = await post("echo-body") {
            counts.add($0.completedUnitCount, $0.totalUnitCount)
        }
        let length = Int64(try #require(response.value).count)
        #expect(counts.all.last?.completed == length)
        #expect(counts.all.allSatisfy { $0.total == length })
    }

    @Test(
        "a file that shrinks or vanishes under way fails the task, and no whole form arrives",
        arguments: [true, false])
    func changed(isRemoved: Bool) async throws {
        let large = URL(fileURLWithPath: directory.path(of: "large"))
        try Data(count: 40_000_000).write(to: large)
        let (once, path) = (Once(), large.path)
        let response = await post(
            "echo", file: large,
            progress: { _ in
                guard once.isFirst() else { return }
                if isRemoved { unlink(path) } else { _ = truncate(path, 10) }
            })
        guard case .requestBody(_, let context)? = response.error else {
            Issue.record("\(response)")
            return
        }
        #expect((context.underlying as? MultipartFailure)?.partName == "photo")
        #expect(server.recordedRequests.isEmpty)
    }

    @Test("a throttled form arrives completely, packet by packet")
    func throttled() async throws {
        let response = await post(
            "echo-body", more: { $0.throttleBandwidth(packetSize: 64_000, delay: .milliseconds(1)) }
        )
        let bytes = try #require(response.value)
        #expect(bytes.range(of: Data(DeterministicBytes.prefix(700_000))) != nil)
        #expect(server.recordedRequests.first?.headers["Content-Length"] == "\(bytes.count)")
    }
}
