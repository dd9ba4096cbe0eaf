import Glibc

/// A non-blocking socket listening on a port of 127.0.0.1.
struct ListeningSocket {
    private static let backlog: Int32 = 4096

    let descriptor: Int32
    let port: UInt16
    private let functions: LinuxFunctions

    /// Listens on a port, or on a free one if the port is 0.
    init(at port: UInt16 = 0, functions: LinuxFunctions) throws(FixtureServerError) {
        self.functions = functions
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_INET, type, 0)
        guard descriptor >= 0 else { throw FixtureServerError(operation: "socket") }
        do throws(FixtureServerError) {
            self.port = try Self.listen(at: port, on: descriptor)
        } catch {
            Glibc.close(descriptor)
            throw error
        }
        self.descriptor = descriptor
    }

    /// Accepts a connection, or returns nil with the reason in `errno`.
    func accept() -> Int32? {
        let flags = Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let accepted = functions.accept(descriptor, nil, nil, flags)
        guard accepted >= 0 else { return nil }
        var on: Int32 = 1
        setsockopt(
            accepted, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        return accepted
    }

    func close() {
        Glibc.close(descriptor)
    }

    private static func listen(
        at port: UInt16, on descriptor: Int32
    ) throws(FixtureServerError) -> UInt16 {
        var on: Int32 = 1
        setsockopt(
            descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let failure: String? = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                guard bind(descriptor, generic, length) == 0 else { return "bind" }
                guard Glibc.listen(descriptor, backlog) == 0 else { return "listen" }
                guard getsockname(descriptor, generic, &length) == 0 else { return "getsockname" }
                return nil
            }
        }
        if let failure { throw FixtureServerError(operation: failure) }
        return UInt16(bigEndian: address.sin_port)
    }
}
