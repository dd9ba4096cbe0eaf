import Foundation
import Glibc

@testable import BluebonnetTransport

/// A server on one address of this machine that gives every connection the same answer and closes.
final class AddressedServer: Sendable {
    struct Failure: Error {}

    let port: UInt16
    private let listener: Int32
    private let count = Locked(0)

    init(_ address: String, answer: String) throws {
        listener = socket(
            address.isIPv6Address ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue) | 0o2000000, 0)
        guard let port = Self.listen(listener, address) else {
            close(listener)
            throw Failure()
        }
        self.port = port
        let (listener, count) = (listener, count)
        Thread.detachNewThread {
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { break }
                count.withLock { $0 += 1 }
                var buffer = [UInt8](repeating: 0, count: 65_536)
                _ = read(client, &buffer, buffer.count)
                _ = Array(answer.utf8).withUnsafeBytes {
                    send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                close(client)
            }
            close(listener)
        }
    }

    deinit {
        // Ends the wait for a connection; the thread closes it.
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// How many connections there were.
    var acceptedCount: Int { count.withLock { $0 } }

    private static func listen(_ listener: Int32, _ text: String) -> UInt16? {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(text, "0", &hints, &found) == 0, let found else { return nil }
        defer { freeaddrinfo(found) }
        guard bind(listener, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0,
            Glibc.listen(listener, 16) == 0
        else { return nil }
        var place = sockaddr_in6()
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let result = withUnsafeMutablePointer(to: &place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(listener, $0, &size)
            }
        }
        // The port is at the same place in both kinds.
        return result == 0 ? UInt16(bigEndian: place.sin6_port) : nil
    }
}
