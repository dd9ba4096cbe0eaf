import CBluebonnet
import Glibc

/// An address that a socket can be connected to, as libcurl has it from a look-up.
struct PeerAddress: Hashable {
    /// `AF_INET` or `AF_INET6`.
    let family: Int32
    let type: Int32
    let transportProtocol: Int32
    /// The system's form of it.
    private let bytes: [UInt8]

    /// Copies the address that libcurl wants a socket for.
    ///
    /// - Parameters:
    ///   - target: Read, and not kept.
    ///   - interfaceIndex: The number of the network interface that the URL's address belongs to,
    ///     which libcurl would add once it has a socket; 0 for any.
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

    /// Makes the address of a port, for a socket of the same kind as another address's.
    init(_ address: IPAddress, port: UInt16, like other: PeerAddress) {
        family = address.family == .v4 ? AF_INET : AF_INET6
        type = other.type
        transportProtocol = other.transportProtocol
        bytes = address.socketAddress(port: port)
    }

    /// Puts it in the place of another one that libcurl wants a socket for.
    func replace(_ target: UnsafeMutablePointer<curl_sockaddr>) {
        target.pointee.family = family
        target.pointee.socktype = type
        target.pointee.protocol = transportProtocol
        target.pointee.addrlen = UInt32(bytes.count)
        // There is room for every kind of address, beyond the field's type.
        bytes.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            bb_socket_mutable_address(target).copyMemory(from: start, byteCount: bytes.count)
        }
    }

    /// Begins to connect a socket; returns 0 or the number of the error.
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

    /// The address without its port; nil for one of another family.
    var ipAddress: IPAddress? {
        bytes.withUnsafeBytes { bytes in
            bytes.baseAddress.flatMap { IPAddress($0, size: bytes.count) }
        }
    }

    /// Both families have it in the same place.
    private var port: Int {
        bytes.count < 4 ? 0 : Int(bytes[2]) << 8 | Int(bytes[3])
    }
}
