import Glibc

/// The address of a socket: an IP address with a port, or the path of a Unix socket.
package struct SocketAddress: Sendable {
    private var storage = sockaddr_storage()
    private var length: socklen_t

    /// Returns a port of 127.0.0.1.
    ///
    /// With port 0, the kernel chooses one.
    package static func loopback(_ port: UInt16 = 0) -> SocketAddress {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return SocketAddress(address)
    }

    /// Returns a port of `::1`.
    ///
    /// With port 0, the kernel chooses one.
    package static func loopback6(_ port: UInt16 = 0) -> SocketAddress {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        address.sin6_addr = in6addr_loopback
        return SocketAddress(address)
    }

    /// Returns a port of an IPv4 address, or nil if the text is not an IPv4 address.
    ///
    /// With port 0, the kernel chooses one.
    package static func ip(_ text: String, port: UInt16 = 0) -> SocketAddress? {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        guard inet_pton(AF_INET, text, &address.sin_addr) == 1 else { return nil }
        return SocketAddress(address)
    }

    /// Returns the address of a Unix socket at a path of at most 107 bytes.
    package static func path(_ path: String) -> SocketAddress {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        return SocketAddress(address)
    }

    /// Creates the address that a socket is bound to, or returns nil if there is none.
    package init?(of descriptor: Int32) {
        length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        var size = length
        let result = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor, $0, &size)
            }
        }
        guard result == 0 else { return nil }
        length = size
    }

    private init<Address>(_ address: Address) {
        length = socklen_t(MemoryLayout<Address>.size)
        withUnsafeMutableBytes(of: &storage) { storage in
            withUnsafeBytes(of: address) { storage.copyMemory(from: $0) }
        }
    }

    package var family: Int32 { Int32(storage.ss_family) }

    /// The port of an IP address.
    package var port: UInt16 {
        // Both families store the port in the same place.
        withUnsafeBytes(of: storage) {
            UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self))
        }
    }

    /// Passes the address to a function of the kernel and returns whether that returned 0.
    func passed(
        to function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, of descriptor: Int32
    ) -> Bool {
        withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function(descriptor, $0, length) == 0
            }
        }
    }
}
