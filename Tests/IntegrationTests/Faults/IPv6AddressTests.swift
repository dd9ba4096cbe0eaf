import Bluebonnet
import BluebonnetTestSupport
import Foundation
import FoundationNetworking
import Testing

@Suite("An address of IPv6", .timeLimit(.minutes(5)))
struct IPv6AddressTests {
    @Test("is connected to as the URL has it, and named so in Host and metrics (fault 94)")
    func literal() async throws {
        let asked = Locked("")
        // There is none where there is no IPv6.
        let server = try? RawServer(at: .loopback6()) { connection, _ in
            let head = connection.readHead()
            asked.withLock { $0 = head }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood")
        }
        guard let server else { return }
        let port = server.port
        let url = try #require(URL(string: "http://[0:0:0:0:0:0:0:1]:\(port)/"))
        let manager = HTTPSessionManager()
        let response = await manager.response(for: URLRequest(url: url), serializer: .http)
        #expect(FaultOutcome.good.objection(to: response) == nil)
        #expect(response.metrics?.exchanges.first?.remoteAddress == "::1")
        let lines = asked.withLock { $0 }.split(separator: "\r\n")
        #expect(lines.contains { $0.hasPrefix("Host: [") && $0.hasSuffix("]:\(port)") }, "\(lines)")
    }
}
