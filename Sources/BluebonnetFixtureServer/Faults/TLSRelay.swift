import Glibc

/// A TLS front end for a plain-text server on 127.0.0.1.
///
/// The relay reproduces inside TLS what the server does to a connection, including a close or a
/// reset. It runs until its process ends.
public final class TLSRelay: Sendable {
    /// The TCP port that the relay listens on.
    public let port: UInt16

    /// Starts a relay to a port of 127.0.0.1.
    ///
    /// Throws if the identity cannot be read, or if the system has no socket or thread left.
    public init(_ identity: ServerIdentity, to target: UInt16) throws(FixtureServerError) {
        let context = try FaultTLSContext(identity)
        let listener = try ListeningSocket(functions: try LinuxFunctions.load())
        port = listener.port
        guard FaultThread.start({ Self.accept(listener, context, target) }) else {
            listener.close()
            throw FixtureServerError(operation: "pthread_create", code: EAGAIN)
        }
    }

    private static func accept(
        _ listener: ListeningSocket, _ context: FaultTLSContext, _ target: UInt16
    ) {
        var entry = pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&entry, 1, -1) >= 0 || errno == EINTR {
            guard let socket = listener.accept() else { continue }
            let isStarted = FaultThread.start {
                if let upstream = connect(to: target) {
                    RelayedConnection(socket, context)?.run(upstream)
                    close(upstream)
                }
                close(socket)
            }
            if !isStarted { close(socket) }
        }
    }

    private static func connect(to port: UInt16) -> Int32? {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let upstream = socket(AF_INET, type, 0)
        guard upstream >= 0 else { return nil }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(upstream, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0, fcntl(upstream, F_SETFL, O_NONBLOCK) == 0 else {
            close(upstream)
            return nil
        }
        return upstream
    }
}
