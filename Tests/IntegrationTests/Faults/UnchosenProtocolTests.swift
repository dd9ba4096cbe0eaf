import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@Suite("A TLS server that chooses no protocol", .timeLimit(.minutes(5)))
struct UnchosenProtocolTests {
    @Test(
        "lets no task wait for the end of another, nor does one that chooses HTTP/1.1 (fault 104)",
        arguments: [nil, "http/1.1"] as [String?])
    func together(choice: String?) async throws {
        let surroundings = try await FaultSurroundings.shared()
        var identity = surroundings.identity
        identity.applicationProtocol = choice
        // The first one is never answered.
        let server = try FaultServer(
            FaultScript([.request, .hold]), identity: identity, startsWithTLS: true)
        let transport = CurlTransport(threadName: "fault")
        let manager = HTTPSessionManager(transport: transport)
        manager.securityPolicy.certificateAuthorities = surroundings.authority
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
        let tasks = Locked(0)
        let (ended, first) = (DispatchGroup(), DispatchGroup())
        for number in 0..<6 {
            let group = number == 0 ? first : ended
            group.enter()
            manager.dataTask(with: URLRequest(url: url), serializer: HTTPResponseSerializer()) {
                response in
                if response.error == nil { tasks.withLock { $0 += 1 } }
                group.leave()
            }.resume()
        }
        await ended.left()
        #expect(tasks.withLock { $0 } == 5)
        manager.invalidate(cancelingTasks: true, resetSession: false)
        await first.left()
        transport.shutDown()
    }
}
