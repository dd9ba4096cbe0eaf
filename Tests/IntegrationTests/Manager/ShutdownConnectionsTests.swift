import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTransport
import Foundation
import Testing

@Suite("Connections of a manager that is shut down", .timeLimit(.minutes(5)))
struct ShutdownConnectionsTests {
    @Test("they are closed when shutdown returns, even if a finished task is retained")
    func closed() async throws {
        let server = try FixtureServer()
        let transport = CurlTransport()
        let manager = HTTPSessionManager(
            baseURL: URL(string: server.baseURL), transport: transport)
        let url = try #require(manager.url(for: "text"))
        let (tasks, errors) = (Locked<[DataTask]>([]), Locked<[BluebonnetError?]>([]))
        await withCheckedContinuation { continuation in
            let task = manager.dataTask(with: URLRequest(url: url)) { response in
                errors.withLock { $0.append(response.error) }
                continuation.resume()
            }
            tasks.withLock { $0.append(task) }
            task.resume()
        }
        #expect(await transport.openSocketCount == 1)
        await manager.shutdown()
        #expect(await transport.openSocketCount == 0)
        #expect(errors.withLock { $0.count } == 1 && tasks.withLock { $0.count } == 1)
    }
}
