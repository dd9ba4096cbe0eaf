import Glibc

/// A port of 127.0.0.1 that the kernel assigns to no other socket while the object lives.
///
/// A socket is bound to the port but does not listen, so connections are refused. A server that
/// sets SO_REUSEADDR, as servers do, can bind to the same port and listen. Linux does not choose
/// the port for a `bind` to port 0 or for an outgoing connection. Therefore no other process can
/// take it before the server starts.
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
            throw ServerFailure("no free port on 127.0.0.1: \(String(cString: strerror(errno)))")
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

    /// Binds a socket to the port, as a server would, and returns whether that succeeded.
    package func bind(_ descriptor: Int32) -> Bool {
        SocketAddress.loopback(number).passed(to: Glibc.bind, of: descriptor)
    }
}
