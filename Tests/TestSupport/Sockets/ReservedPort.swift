import Glibc

/// A port of 127.0.0.1 that the kernel gives to no other socket while the object lives.
///
/// A socket is bound to the port and never listens, so connections are refused. Linux lets a server
/// that sets SO_REUSEADDR, as servers do, bind beside it and listen. It picks the port neither for
/// another `bind` to port 0 nor for an outgoing connection, so no other process can take it between
/// here and there.
package final class ReservedPort: Sendable {
    package let number: UInt16
    private let descriptor: Int32

    package init() throws {
        descriptor = StreamSocket.make()
        var on: Int32 = 1
        setsockopt(
            descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        let isBound = SocketAddress.loopback().passed(to: Glibc.bind, of: descriptor)
        number = SocketAddress(of: descriptor)?.port ?? 0
        if !isBound || number == 0 {
            throw ServerFailure("no port of 127.0.0.1 is free: \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        close(descriptor)
    }

    /// The start of a URL on the port, which refuses connections until a server listens.
    package var baseURL: String { "http://127.0.0.1:\(number)" }

    /// Whether a server listens on the port.
    package var accepts: Bool {
        guard let client = StreamSocket.connect(to: .loopback(number)) else { return false }
        close(client)
        return true
    }

    /// Binds a socket to the port, as a server would.
    ///
    /// Returns whether that worked.
    package func bind(_ descriptor: Int32) -> Bool {
        SocketAddress.loopback(number).passed(to: Glibc.bind, of: descriptor)
    }
}
