import Bluebonnet
import BluebonnetFixtureServer
import CBluebonnetTestResolver
import Foundation
import Glibc
import Testing

@Suite("Addresses that swallow everything", .timeLimit(.minutes(5)))
struct BlackHoleTests {
    /// A listening socket of `::1` whose queue is full, so that the kernel drops who wants to connect.
    private final class BlackHole {
        private var descriptors: [Int32] = []

        deinit {
            for descriptor in descriptors { close(descriptor) }
        }

        /// False where there is no IPv6, or the port is taken.
        func open(_ port: UInt16) -> Bool {
            let listener = add(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
            guard call(bind, listener, port), listen(listener, 0) == 0 else { return false }
            for _ in 0..<4 {
                let kind =
                    SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
                _ = call(connect, add(kind), port)
            }
            return true
        }

        private func add(_ kind: UInt32) -> Int32 {
            let descriptor = socket(AF_INET6, Int32(kind), 0)
            descriptors.append(descriptor)
            return descriptor
        }

        private func call(
            _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32,
            _ descriptor: Int32, _ port: UInt16
        ) -> Bool {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_addr = in6addr_loopback
            let size = socklen_t(MemoryLayout<sockaddr_in6>.size)
            return withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    function(descriptor, $0, size) == 0
                }
            }
        }
    }

    @Test("an address of IPv6 that never answers costs a fraction of a second (fault 55)")
    func happyEyeballs() async throws {
        let server = try FaultServer(FaultScript())
        let hole = BlackHole()
        guard hole.open(server.port) else { return }
        #expect(bt_resolver_answer("hole.fault.test", "::1,127.0.0.1") == 0)
        var configuration = SessionConfiguration()
        configuration.timeouts.connect = 20
        let manager = HTTPSessionManager(configuration: configuration)
        let url = try #require(URL(string: "http://hole.fault.test:\(server.port)/"))
        let response = await manager.response(for: URLRequest(url: url), serializer: .http)
        #expect(FaultOutcome.good.objection(to: response) == nil)
        // libcurl waits 200 ms for the first address, then tries the second beside it.
        let metrics = try #require(response.metrics?.exchanges.first)
        #expect(metrics.remoteAddress == "127.0.0.1")
        #expect(metrics.totalDuration < 10)
        withExtendedLifetime(hole) {}
    }
}
