import Glibc

extension Exchange.Route.Source {
    /// Binds a socket to this source, and returns 0 or the system's error number.
    func bind(_ socket: Int32, family: Int32) -> Int32 {
        switch self {
        case .address(let text):
            guard let address = IPAddress(text) else { return EADDRNOTAVAIL }
            return Self.bind(socket, to: address, family: family)
        case .interface(let name):
            // This can require a privilege. Without it, bind to an address of the interface.
            let result = name.withCString {
                setsockopt(socket, SOL_SOCKET, SO_BINDTODEVICE, $0, socklen_t(name.utf8.count + 1))
            }
            guard result != 0 else { return 0 }
            guard if_nametoindex(name) != 0 else { return ENODEV }
            guard let address = Self.address(of: name, family: family) else {
                return EADDRNOTAVAIL
            }
            return Self.bind(socket, to: address, family: family)
        }
    }

    private static func bind(_ socket: Int32, to address: IPAddress, family: Int32) -> Int32 {
        guard family == (address.family == .v4 ? AF_INET : AF_INET6) else { return EAFNOSUPPORT }
        let result = address.socketAddress(port: 0).withUnsafeBytes { bytes in
            bytes.assumingMemoryBound(to: sockaddr.self).baseAddress.map {
                Glibc.bind(socket, $0, socklen_t(bytes.count))
            } ?? -1
        }
        return result == 0 ? 0 : errno
    }

    /// Returns the first address of a family that a network interface has.
    private static func address(of interface: String, family: Int32) -> IPAddress? {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return nil }
        defer { freeifaddrs(list) }
        return sequence(first: list, next: { $0?.pointee.ifa_next }).lazy
            .compactMap { $0?.pointee }
            .filter { String(cString: $0.ifa_name) == interface }
            .compactMap { entry -> IPAddress? in
                guard let address = entry.ifa_addr,
                    Int32(address.pointee.sa_family) == family
                else { return nil }
                let size =
                    family == AF_INET
                    ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
                return IPAddress(address, size: size)
            }
            .first
    }
}
