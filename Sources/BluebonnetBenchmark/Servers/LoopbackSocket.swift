import Glibc

/// TCP on 127.0.0.1, as far as starting a server needs it.
enum LoopbackSocket {
    /// A port that was free a moment ago.
    static func freePort() throws -> UInt16 {
        let port = withSocket { socket -> UInt16? in
            var address = loopback(port: 0)
            guard withAddress(&address, { bind(socket, $0, $1) }) == 0 else { return nil }
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let named = withAddress(&address) { pointer, _ in
                getsockname(socket, pointer, &length)
            }
            return named == 0 ? UInt16(bigEndian: address.sin_port) : nil
        }
        guard let port else {
            throw BenchmarkFailure("no free port on 127.0.0.1")
        }
        return port
    }

    static func accepts(port: UInt16) -> Bool {
        withSocket { socket in
            var address = loopback(port: port)
            return withAddress(&address) { connect(socket, $0, $1) } == 0
        }
    }

    private static func withSocket<Result>(_ body: (Int32) -> Result) -> Result {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        return body(descriptor)
    }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }

    private static func withAddress<Result>(
        _ address: inout sockaddr_in,
        _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
