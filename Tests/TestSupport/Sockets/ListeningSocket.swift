import Glibc

/// A socket that listens as long as the object lives.
package final class ListeningSocket: Sendable {
    package let descriptor: Int32
    package let port: UInt16

    /// Listens on an address.
    ///
    /// - Parameters:
    ///   - address: The address; default a port of 127.0.0.1 that the kernel chooses.
    ///   - backlog: The number of connections that the kernel queues until they are accepted.
    ///   - waits: Whether ``accept()`` waits for a connection.
    /// - Throws: ``ServerFailure`` if the address is taken or does not exist.
    package init(
        at address: SocketAddress = .loopback(), backlog: Int32 = 64, waits: Bool = true
    ) throws {
        let socket = StreamSocket.make(family: address.family, waits: waits)
        guard address.passed(to: bind, of: socket), listen(socket, backlog) == 0,
            let bound = SocketAddress(of: socket)
        else {
            let reason = String(cString: strerror(errno))
            close(socket)
            throw ServerFailure("could not listen on a port: \(reason)")
        }
        descriptor = socket
        port = bound.port
    }

    deinit {
        close(descriptor)
    }

    /// Returns the next connection, or nil if there is none.
    package func accept() -> Int32? {
        let socket = Glibc.accept(descriptor, nil, nil)
        guard socket >= 0 else { return nil }
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        return socket
    }

    /// Makes ``accept()`` return nil from now on, including a call that is waiting.
    package func shutDown() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }
}
