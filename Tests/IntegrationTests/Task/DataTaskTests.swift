import Bluebonnet
import BluebonnetFixtureServer
import Testing

@Suite("Data tasks", .timeLimit(.minutes(5)))
struct DataTaskTests {
    let server: FixtureServer
    let manager: HTTPSessionManager

    init() throws {
        server = try FixtureServer()
        manager = HTTPSessionManager(baseURL: URL(string: server.baseURL))
    }

    @Test("get delivers the JSON object to the trailing closure")
    func get() async {
        let response = await withCheckedContinuation { continuation in
            manager.get("json") { continuation.resume(returning: $0) }
        }
        #expect((response.object as? [String: Any])?["number"] as? Int == 42)
        #expect(response.error == nil)
    }

    @Test(
        "a new policy uses new connections, and an earlier task keeps the old"
    )
    func policy() async throws {
        let request = URLRequest(url: try #require(manager.url(for: "text")))
        let serializer = HTTPResponseSerializer()
        func isReused() async -> Bool? {
            await manager.response(for: request, serializer: serializer).metrics?.exchanges.last?
                .isConnectionReused
        }
        #expect(await isReused() == false)
        #expect(await isReused() == true)
        let reused = await withCheckedContinuation { continuation in
            let former = manager.dataTask(with: request, serializer: serializer) {
                continuation.resume(returning: $0.metrics?.exchanges.last?.isConnectionReused)
            }
            manager.securityPolicy.certificateAuthorities = URL(fileURLWithPath: "/none")
            former.resume()
        }
        #expect(reused == true)
        #expect(await isReused() == false)
        #expect(await isReused() == true)
        #expect(server.acceptedConnectionCount == 2)
    }

    @Test("verbs with a body report upload progress, and the trailing closure is the handler")
    func uploadProgress() async {
        let body = ["text": String(repeating: "x", count: 300_000)]
        for verb in [HTTPMethod.post, .put, .patch] {
            let done: Int64? = await withCheckedContinuation { continuation in
                let last = Locked<Int64?>(nil)
                let progress: ProgressHandler = { progress in
                    last.withLock {
                        $0 =
                            progress.completedUnitCount == progress.totalUnitCount
                            ? progress.totalUnitCount : -1
                    }
                }
                let path = "echo-body"
                let serializer = HTTPResponseSerializer()
                let handler: @Sendable (Response<Data>) -> Void = { _ in
                    continuation.resume(returning: last.withLock { $0 })
                }
                switch verb {
                case .post:
                    manager.post(
                        path, parameters: body, serializer: serializer,
                        options: .uploadProgress(progress)
                    ) { handler($0) }
                case .put:
                    manager.put(
                        path, parameters: body, serializer: serializer,
                        options: .uploadProgress(progress)
                    ) { handler($0) }
                default:
                    manager.patch(
                        path, parameters: body, serializer: serializer,
                        options: .uploadProgress(progress)
                    ) { handler($0) }
                }
            }
            #expect(done == 300_005, "\(verb)")
        }
    }
}
