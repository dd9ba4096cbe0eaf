import Glibc

/// An IPv4 or IPv6 address as a number, which can be examined without allocating memory.
struct IPAddress: Sendable, Hashable {
    enum Family: Sendable {
        case v4, v6
    }

    let family: Family
    /// The address in host byte order, where an IPv4 address has the last 32 bits.
    let value: UInt128

    init(_ value: UInt32) {
        family = .v4
        self.value = UInt128(value)
    }

    init(_ value: UInt128) {
        family = .v6
        self.value = value
    }

    /// The number of bits, 32 or 128.
    var bitCount: Int { family == .v4 ? 32 : 128 }
}

extension IPAddress: CustomStringConvertible {
    /// Creates an address from its usual text, without the brackets and zone of an IPv6 address.
    ///
    /// An IPv4 address must have four decimal numbers.
    init?(_ text: String) {
        guard !text.utf8.contains(0) else { return nil }
        self.init(cString: text)
    }

    /// Creates an address from its text as a C string.
    init?(cString text: UnsafePointer<CChar>) {
        var four: UInt32 = 0
        if inet_pton(AF_INET, text, &four) == 1 {
            self.init(UInt32(bigEndian: four))
            return
        }
        var sixteen: UInt128 = 0
        guard inet_pton(AF_INET6, text, &sixteen) == 1 else { return nil }
        self.init(UInt128(bigEndian: sixteen))
    }

    /// The address in the format of RFC 5952.
    var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        switch family {
        case .v4:
            var bytes = UInt32(truncatingIfNeeded: value).bigEndian
            inet_ntop(AF_INET, &bytes, &text, socklen_t(text.count))
        case .v6:
            var bytes = value.bigEndian
            inet_ntop(AF_INET6, &bytes, &text, socklen_t(text.count))
        }
        return text.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { String(cString: $0) } ?? ""
        }
    }
}

extension IPAddress {
    /// Creates an address from a socket address, or returns nil if that has another family.
    ///
    /// - Parameters:
    ///   - socketAddress: The bytes of the socket address, which are not retained.
    ///   - size: The number of bytes.
    init?(_ socketAddress: UnsafeRawPointer, size: Int) {
        guard size >= MemoryLayout<sa_family_t>.size else { return nil }
        switch Int32(socketAddress.loadUnaligned(as: sa_family_t.self)) {
        case AF_INET where size >= MemoryLayout<sockaddr_in>.size:
            let address = socketAddress.loadUnaligned(as: sockaddr_in.self)
            self.init(UInt32(bigEndian: address.sin_addr.s_addr))
        case AF_INET6 where size >= MemoryLayout<sockaddr_in6>.size:
            let address = socketAddress.loadUnaligned(as: sockaddr_in6.self)
            let value = withUnsafeBytes(of: address.sin6_addr) {
                $0.loadUnaligned(as: UInt128.self)
            }
            self.init(UInt128(bigEndian: value))
        default: return nil
        }
    }
}

extension IPAddress {
    /// Returns the bytes of a socket address with a port.
    func socketAddress(port: UInt16) -> [UInt8] {
        switch family {
        case .v4:
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(truncatingIfNeeded: value).bigEndian
            return withUnsafeBytes(of: address) { Array($0) }
        case .v6:
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            withUnsafeMutableBytes(of: &address.sin6_addr) { bytes in
                withUnsafeBytes(of: value.bigEndian) { bytes.copyMemory(from: $0) }
            }
            return withUnsafeBytes(of: address) { Array($0) }
        }
    }
}

extension String {
    /// Whether the text is an IPv6 address without brackets and zone.
    package var isIPv6Address: Bool { IPAddress(self)?.family == .v6 }

    /// Whether the text is an IPv6 address that is valid only on one link (RFC 4291 section 2.5.6).
    package var isLinkLocalIPv6Address: Bool {
        guard let address = IPAddress(self), address.family == .v6 else { return false }
        return address.value >> 118 == 0x3FA
    }
}
