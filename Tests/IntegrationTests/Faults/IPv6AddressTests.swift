import Bluebonnet
import Foundation
import FoundationNetworking
import Glibc
import Testing

@Suite("An address of IPv6", .timeLimit(.minutes(5)))
struct IPv6AddressTests {
    /// A listener on `::1` and its port; nil where there is no IPv6.
    private static func listen() -> (descriptor: Int32, port: UInt16)? {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let listener = socket(AF_INET6, kind, 0)
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_addr = in6addr_loopback
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, size) == 0 && Glibc.listen(listener, 1) == 0
                    && getsockname(listener, address, &size) == 0
            }
        }
        guard isListening else {
            close(listener)
            return nil
        }
        return (listener, UInt16(bigEndian: address.sin6_port))
    }

    /// Answers one request, and says what was asked.
    private static func serveOne(_ listener: Int32) -> String {
        let connection = accept(listener, nil, nil)
        defer { close(connection) }
        var buffer = [UInt8](repeating: 0, count: 10_000)
        let count = recv(connection, &buffer, buffer.count, 0)
        let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood".utf8)
        send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }

    @Test("is connected to as the URL has it, and named so in Host and metrics (fault 94)")
    func literal() async throws {
        guard let (listener, port) = Self.listen() else { return }
        defer { close(listener) }
        let asked = Locked("")
        async let served: Void = onOwnThread {
            let text = Self.serveOne(listener)
            asked.withLock { $0 = text }
        }
        let url = try #require(URL(string: "http://[0:0:0:0:0:0:0:1]:\(port)/"))
        let manager = HTTPSessionManager()
        let response = await manager.response(for: URLRequest(url: url), serializer: .http)
        #expect(FaultOutcome.good.objection(to: response) == nil)
        #expect(response.metrics?.exchanges.first?.remoteAddress == "::1")
        await served
        let lines = asked.withLock { $0 }.split(separator: "\r\n")
        #expect(lines.contains { $0.hasPrefix("Host: [") && $0.hasSuffix("]:\(port)") }, "\(lines)")
    }
}
