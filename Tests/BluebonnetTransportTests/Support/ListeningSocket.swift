import Glibc

/// A TCP socket that listens on a free port of 127.0.0.1.
final class ListeningSocket: Sendable {
    let descriptor: Int32
    let port: UInt16

    init() {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | 0o2000000, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        port = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, size)
                getsockname(listener, address, &size)
                listen(listener, 64)
            }
            return UInt16(bigEndian: pointer.pointee.sin_port)
        }
        descriptor = listener
    }

    deinit {
        close(descriptor)
    }

    /// The next connection; nil when there is no more to come.
    func accept() -> Int32? {
        let socket = Glibc.accept(descriptor, nil, nil)
        guard socket >= 0 else { return nil }
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        return socket
    }
}
