import Bluebonnet
import BluebonnetFixtureServer
import Foundation
import FoundationNetworking
import Glibc
import Testing

@Suite("A process without file descriptors", .timeLimit(.minutes(5)))
struct FileLimitTests {
    /// Takes every descriptor that there may be.
    private static func takeAll() -> [Int32] {
        var taken: [Int32] = []
        while case let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC), descriptor >= 0 {
            taken.append(descriptor)
        }
        return taken
    }

    private static func run(_ base: String, _ other: String) async throws {
        let limit = try #require(ProcessLimit(.openFiles, 200))
        // The first task of all: not even the loop has its descriptors.
        var taken = takeAll()
        let manager = HTTPSessionManager(baseURL: URL(string: base))
        func get(_ url: String) async throws -> BluebonnetError? {
            let request = URLRequest(url: try #require(URL(string: url)))
            return await manager.response(for: request, serializer: .http).error
        }
        let first = try await get(base + "/text")
        #expect("\(first as Any)".contains("no file descriptors"), "\(first as Any)")
        taken.forEach { close($0) }
        #expect(try await get(base + "/text") == nil)

        taken = takeAll()
        for url in [other + "/text", other.replacing("127.0.0.1", with: "localhost") + "/text"] {
            let errors = await withTaskGroup(of: BluebonnetError?.self) { group in
                for _ in 0..<8 { group.addTask { try? await get(url) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            let codes = Set(errors.compactMap { $0?.urlError.code })
            #expect(errors.count == 8 && !errors.contains { $0 == nil })
            #expect(codes.isSubset(of: [.cannotConnectToHost, .cannotFindHost]), "\(errors)")
            let text = "\(errors)"
            #expect(
                url.contains("localhost") || text.contains("no socket could be opened"), "\(text)")
        }
        // A kept connection takes none.
        #expect(try await get(base + "/text") == nil)
        taken.forEach { close($0) }
        #expect(try await get(other + "/text") == nil)
        limit.lift()
        #expect(manager.tasks.isEmpty)
    }

    @Test("fails what needs one, serves kept connections, and recovers (fault 87)")
    func files() async throws {
        let (server, second) = (try FixtureServer(), try FixtureServer())
        let (base, other) = (server.baseURL, second.baseURL)
        await #expect(processExitsWith: .success) {
            [base = base as String, other = other as String] in
            try await Self.run(base, other)
        }
        #expect(server.requestCount == 2 && second.requestCount == 1)
    }
}
