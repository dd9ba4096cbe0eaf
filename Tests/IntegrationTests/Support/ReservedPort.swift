import Glibc

/// A port of 127.0.0.1 that the kernel gives to nobody else while this lives.
///
/// A socket is bound to the port and never listens. Linux lets a server that sets SO_REUSEADDR, as
/// servers do, bind beside it and listen, while it picks the port neither for another `bind` to
/// port 0 nor for an outgoing connection. So no other process can take it between here and there.
final class ReservedPort: Sendable {
    let number: UInt16
    private let descriptor: Int32

    init() throws {
        descriptor = Self.makeSocket()
        var on: Int32 = 1
        setsockopt(
            descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        var address = Self.loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let failed = Self.withGeneric(&address) { generic in
            Glibc.bind(descriptor, generic, length) != 0
                || getsockname(descriptor, generic, &length) != 0
        }
        number = UInt16(bigEndian: address.sin_port)
        if failed {
            throw ServerFailure("no port of 127.0.0.1 is free: \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        close(descriptor)
    }

    /// Whether a server listens on the port.
    var accepts: Bool {
        let client = Self.makeSocket()
        defer { close(client) }
        var address = Self.loopback(port: number)
        return Self.withGeneric(&address) {
            connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }

    /// Binds a socket to the port, as a server would; whether that worked.
    func bind(_ descriptor: Int32) -> Bool {
        var address = Self.loopback(port: number)
        return Self.withGeneric(&address) {
            Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }

    private static func makeSocket() -> Int32 {
        socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func withGeneric<Result>(
        _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
        }
    }
}
