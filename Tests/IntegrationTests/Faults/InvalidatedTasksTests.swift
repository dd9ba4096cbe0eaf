import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@Suite("Tasks of a manager that is invalidated", .timeLimit(.minutes(5)))
struct InvalidatedTasksTests {
    @Test("end at once, be they running, in line, suspended or not begun (fault 86)")
    func invalidated() async throws {
        let server = try FixtureServer()
        var configuration = SessionConfiguration()
        configuration.maximumConnectionsPerHost = 3
        let transport = CurlTransport(threadName: "fault")
        let manager = HTTPSessionManager(
            baseURL: URL(string: server.baseURL), configuration: configuration,
            transport: transport)
        let (group, errors) = (DispatchGroup(), Locked<[BluebonnetError?]>([]))
        manager.completionGroup = group
        let paths = ["drip/1000000/20", "hang", "drip/1000000/50", "text", "text", "text"]
        let tasks = try paths.map { path in
            let url = try #require(manager.url(for: path))
            return manager.dataTask(
                with: URLRequest(url: url), serializer: HTTPResponseSerializer()
            ) { response in errors.withLock { $0.append(response.error) } }
        }
        for task in tasks.dropLast() { task.resume() }
        #expect(await eventually { server.requestCount >= 3 })
        // On its way, in line, and before its start.
        tasks[0].suspend()
        tasks[3].suspend()
        manager.invalidate(cancelingTasks: true, resetSession: false)
        await group.left()
        let all = errors.withLock { $0 }
        #expect(all.count == 6 && all.allSatisfy { $0?.isCancelled == true }, "\(all)")
        #expect(manager.tasks.isEmpty)
        #expect(await eventually { server.openConnectionCount == 0 })
        #expect(server.requestCount == 3)
        transport.shutDown()
    }
}
