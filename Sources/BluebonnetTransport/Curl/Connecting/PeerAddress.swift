import CBluebonnet
import Glibc

/// An address to connect a socket to, as libcurl gets it from a look-up.
struct PeerAddress: Hashable {
    /// `AF_INET` or `AF_INET6`.
    let family: Int32
    let type: Int32
    let transportProtocol: Int32
    /// The bytes of the system's `sockaddr` structure.
    private let bytes: [UInt8]

    /// Creates a copy of the address for which libcurl requests a socket.
    ///
    /// - Parameters:
    ///   - target: The address, which is not kept.
    ///   - interfaceIndex: The index of the network interface that the URL's address belongs to, or
    ///     0 for any. libcurl itself would add it only after it has a socket.
    init(_ target: UnsafePointer<curl_sockaddr>, interfaceIndex: UInt32 = 0) {
        family = target.pointee.family
        type = target.pointee.socktype
        transportProtocol = target.pointee.protocol
        let count = min(Int(target.pointee.addrlen), MemoryLayout<sockaddr_storage>.size)
        var bytes = Array(UnsafeRawBufferPointer(start: bb_socket_address(target), count: count))
        if interfaceIndex != 0, family == AF_INET6,
            bytes.count == MemoryLayout<sockaddr_in6>.size
        {
            bytes.withUnsafeMutableBytes { bytes in
                var address = bytes.loadUnaligned(as: sockaddr_in6.self)
                if address.sin6_scope_id == 0 { address.sin6_scope_id = interfaceIndex }
                bytes.storeBytes(of: address, as: sockaddr_in6.self)
            }
        }
        self.bytes = bytes
    }

    /// Creates an address with a port, for the same kind of socket as another address.
    init(_ address: IPAddress, port: UInt16, like other: PeerAddress) {
        family = address.family == .v4 ? AF_INET : AF_INET6
        type = other.type
        transportProtocol = other.transportProtocol
        bytes = address.socketAddress(port: port)
    }

    /// Replaces the address for which libcurl requests a socket with this one.
    func replace(_ target: UnsafeMutablePointer<curl_sockaddr>) {
        target.pointee.family = family
        target.pointee.socktype = type
        target.pointee.protocol = transportProtocol
        target.pointee.addrlen = UInt32(bytes.count)
        // The structure has room for every address family, beyond the size of the field's type.
        bytes.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            bb_socket_mutable_address(target).copyMemory(from: start, byteCount: bytes.count)
        }
    }

    /// Starts to connect a socket, and returns 0 or the system's error number.
    func connect(_ socket: Int32) -> Int32 {
        let result = bytes.withUnsafeBytes { bytes in
            bytes.assumingMemoryBound(to: sockaddr.self).baseAddress.map {
                Glibc.connect(socket, $0, socklen_t(bytes.count))
            } ?? -1
        }
        return result == 0 ? 0 : errno
    }
}

extension PeerAddress: CustomStringConvertible {
    /// The address with its port, such as `192.0.2.1:443` or `[2001:db8::1]:443`.
    var description: String {
        guard let ipAddress else { return "an address of family \(family)" }
        let text = ipAddress.family == .v6 ? "[\(ipAddress)]" : "\(ipAddress)"
        return "\(text):\(port)"
    }

    /// The address without its port, or nil if it is neither IPv4 nor IPv6.
    var ipAddress: IPAddress? {
        bytes.withUnsafeBytes { bytes in
            bytes.baseAddress.flatMap { IPAddress($0, size: bytes.count) }
        }
    }

    /// The port, which both families store at the same offset.
    private var port: Int {
        bytes.count < 4 ? 0 : Int(bytes[2]) << 8 | Int(bytes[3])
    }
}
