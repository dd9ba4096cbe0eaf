import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation
import FoundationNetworking
import Glibc
import Testing

@Suite("Signals", .timeLimit(.minutes(5)))
struct SignalTests {
    private static let uploadCount = 20

    /// Sends more than the sockets hold to servers that go at once.
    private static func uploadInVain(_ ports: [Int]) async throws {
        signal(SIGPIPE, SIG_DFL)
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGPIPE)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        let manager = HTTPSessionManager()
        manager.securityPolicy.allowInvalidCertificates = true
        manager.securityPolicy.validatesDomainName = false
        for (scheme, port) in zip(["http", "https"], ports) {
            var request = URLRequest(
                url: try #require(URL(string: "\(scheme)://127.0.0.1:\(port)/")))
            request.httpMethod = "PUT"
            for _ in 0..<Self.uploadCount {
                let response = await withCheckedContinuation { [request] continuation in
                    manager.uploadTask(
                        with: request, from: Data(count: 3_000_000),
                        serializer: HTTPResponseSerializer()
                    ) { continuation.resume(returning: $0) }.resume()
                }
                #expect(response.error?.urlError.code == .networkConnectionLost)
            }
        }
    }

    @Test("SIGPIPE ends nobody, however the process handles it (fault 88)")
    func pipe() async throws {
        let surroundings = try await FaultSurroundings.shared()
        let script = FaultScript(repeating: [.receive(50_000), .reset], count: Self.uploadCount)
        let servers = try [false, true].map { isSecure in
            try FaultServer(script, identity: surroundings.identity, startsWithTLS: isSecure)
        }
        let (plain, secure) = (Int(servers[0].port), Int(servers[1].port))
        await #expect(processExitsWith: .success) {
            [plain = plain as Int, secure = secure as Int] in
            try await Self.uploadInVain([plain, secure])
        }
        for server in servers { #expect(server.counters.acceptedConnections > 0) }
    }

    /// How many children's ends were told.
    private static let told = DispatchSemaphore(value: 0)

    private static func endChildren(_ base: String) async throws {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in SignalTests.told.signal() }
        // Without SA_RESTART, what a signal interrupts fails.
        #expect(sigaction(SIGCHLD, &action, nil) == 0)
        let manager = HTTPSessionManager(baseURL: URL(string: base))
        let url = try #require(manager.url(for: "drip/100/10"))
        async let response = manager.response(for: URLRequest(url: url), serializer: .http)
        let text = try #require(manager.url(for: "text"))
        var command = ChildCommand("/bin/true", [], in: try ServerDirectory())
        command.endsWithStarter = false
        for _ in 0..<100 {
            let child = try spawn(command)
            let other = await manager.response(for: URLRequest(url: text), serializer: .http)
            #expect(other.error == nil)
            var status: Int32 = -1
            var ended = waitpid(child, &status, 0)
            while ended < 0, errno == EINTR { ended = waitpid(child, &status, 0) }
            // Nobody else has waited for it.
            #expect(ended == child && status == 0)
        }
        let result = await response
        #expect(result.error == nil && result.value?.count == 100)
        #expect(isTold)
    }

    private static var isTold: Bool { told.wait(timeout: .now()) == .success }

    @Test("SIGCHLD disturbs no task, and the children stay those of whoever made them (fault 88)")
    func children() async throws {
        let server = try FixtureServer()
        let base = server.baseURL
        await #expect(processExitsWith: .success) { [base = base as String] in
            try await Self.endChildren(base)
        }
    }
}
