import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import BluebonnetTransport
import CBluebonnetTestResolver
import Foundation
import FoundationNetworking
import Testing

extension LoadTests {
    /// More tasks and hosts than the limit of connections.
    @Suite("Many simultaneous tasks", .serialized)
    struct ManyTasks {
        /// Returns how many tasks with these URLs succeed.
        ///
        /// All start before the first ends.
        private static func succeeding(_ urls: [URL], _ manager: SessionManager) async -> Int {
            await withTaskGroup(of: Int.self) { group in
                for url in urls {
                    group.addTask {
                        let response = await manager.response(
                            for: URLRequest(url: url), serializer: .http)
                        return response.error == nil ? 1 : 0
                    }
                }
                return await group.reduce(0, +)
            }
        }

        @Test(
            "ten thousand with one host all succeed within the limit of connections (fault 87)")
        func tasks() async throws {
            let server = try FixtureServer()
            let manager = HTTPSessionManager(baseURL: URL(string: server.baseURL))
            let count = ProcessState.isSanitized ? 1_000 : 10_000
            let url = try #require(manager.url(for: "text"))
            let succeeded = await Self.succeeding(Array(repeating: url, count: count), manager)
            #expect(succeeded == count)
            #expect(server.acceptedConnectionCount <= 64)
            #expect(await until { manager.tasks.isEmpty })
        }

        @Test("with a thousand hosts all succeed within the limit of connections (fault 87)")
        func hosts() async throws {
            #expect(bt_resolver_answer("*.many.fault.test", "127.0.0.1") == 0)
            let server = try FixtureServer()
            let transport = CurlTransport(threadName: "fault")
            var configuration = SessionConfiguration()
            configuration.maximumConnections = 100
            let manager = HTTPSessionManager(configuration: configuration, transport: transport)
            let urls = (0..<1000).compactMap { number in
                URL(string: "http://h\(number).many.fault.test:\(server.port)/text")
            }
            #expect(await Self.succeeding(urls, manager) == 1000)
            #expect(await transport.openSocketCount <= 100)
            #expect(await Self.succeeding(Array(urls.prefix(100)), manager) == 100)
            transport.shutDown()
        }
    }
}
