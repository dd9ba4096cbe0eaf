import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation
import FoundationNetworking
import Testing

@Suite("A process that gets no more memory", .timeLimit(.minutes(5)))
struct MemoryLimitTests {
    private static func run(_ base: String) async throws {
        let manager = HTTPSessionManager(baseURL: URL(string: base))
        func get(_ path: String) async throws -> BluebonnetError? {
            let request = URLRequest(url: try #require(URL(string: base + path)))
            return await manager.response(for: request, serializer: .http).error
        }
        #expect(try await get("/text") == nil)
        let addresses = UInt(ProcessState.virtualMemory) + (100 << 20)
        let limit = try #require(ProcessLimit(.addresses, addresses))
        for _ in 0..<3 {
            let error = try await get("/bytes/220000000")
            guard case .transport(let failure, _)? = error else {
                Issue.record("\(error as Any)")
                continue
            }
            #expect(failure.message.contains("memory"), "\(failure)")
            #expect(try await get("/text") == nil)
        }
        limit.lift()
        #expect(try await get("/bytes/220000000") == nil)
        #expect(manager.tasks.isEmpty)
    }

    @Test(
        "fails a body of known length that there is no room for, and serves others (fault 87)",
        .disabled(if: ProcessState.isSanitized, "a sanitizer takes what addresses it wants"))
    func memory() async throws {
        let server = try FixtureServer()
        let base = server.baseURL
        await #expect(processExitsWith: .success) { [base = base as String] in
            try await Self.run(base)
        }
    }
}
