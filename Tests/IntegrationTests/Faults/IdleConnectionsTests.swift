import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTransport
import Foundation
import Testing

@Suite("Idle connections", .timeLimit(.minutes(5)))
struct IdleConnectionsTests {
    private static let count = 300

    @Test("hundreds that the server closes at once are closed here too (fault 54)")
    func closed() async throws {
        let server = try FixtureServer()
        let transport = CurlTransport(threadName: "fault", measuresProcessorTime: true)
        var configuration = SessionConfiguration()
        configuration.maximumConnectionsPerHost = Self.count
        let manager = HTTPSessionManager(
            baseURL: URL(string: server.baseURL), configuration: configuration,
            transport: transport)
        let gate = Locked(0)
        // Nobody is answered before all have asked, so that each has a connection of its own.
        server.route("/wait") { _ in
            gate.withLock { $0 += 1 }
            return .script([
                .generate { _ in
                    gate.withLock { $0 } < Self.count ? [.pause(milliseconds: 5)] : nil
                },
                .send(Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)),
            ])
        }
        let url = try #require(manager.url(for: "wait"))
        let succeeded = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<Self.count {
                group.addTask {
                    let response = await manager.response(
                        for: URLRequest(url: url), serializer: .http)
                    return response.error == nil ? 1 : 0
                }
            }
            return await group.reduce(0, +)
        }
        #expect(succeeded == Self.count)
        #expect(server.acceptedConnectionCount == Self.count)
        server.closeIdleConnections()
        #expect(server.openConnectionCount == 0)
        #expect(await eventually { Self.halfClosedCount(server.port) == 0 })
        let text = try #require(manager.url(for: "text"))
        for _ in 0..<3 {
            let response = await manager.response(for: URLRequest(url: text), serializer: .http)
            #expect(response.error == nil)
        }
        transport.shutDown()
    }

    /// How many connections to a port only the other side has closed (CLOSE_WAIT).
    private static func halfClosedCount(_ port: UInt16) -> Int {
        let digits = String(port, radix: 16, uppercase: true)
        let suffix = ":" + String(repeating: "0", count: 4 - digits.count) + digits
        let text = (try? String(contentsOfFile: "/proc/self/net/tcp", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").count { line in
            let columns = line.split(separator: " ")
            return columns.count > 3 && columns[2].hasSuffix(suffix) && columns[3] == "08"
        }
    }
}
