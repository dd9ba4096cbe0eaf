import Glibc

/// An IPv4 or IPv6 address as a number, so that looking into it takes no memory.
struct IPAddress: Sendable, Hashable {
    enum Family: Sendable {
        case v4, v6
    }

    let family: Family
    /// The address in host order; of IPv4 in the last 32 bits.
    let value: UInt128

    init(_ value: UInt32) {
        family = .v4
        self.value = UInt128(value)
    }

    init(_ value: UInt128) {
        family = .v6
        self.value = value
    }

    /// How many bits it has, 32 or 128.
    var bitCount: Int { family == .v4 ? 32 : 128 }
}

extension IPAddress: CustomStringConvertible {
    /// Reads the usual text of an address, an IPv6 address without brackets and zone.
    ///
    /// Nothing else than four decimal numbers is an IPv4 address here.
    init?(_ text: String) {
        guard !text.utf8.contains(0) else { return nil }
        self.init(cString: text)
    }

    /// Reads the text of an address up to its zero.
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

    /// The address in the way of RFC 5952.
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
    /// The address in a socket's; nil where that is of another family.
    ///
    /// - Parameters:
    ///   - socketAddress: So many bytes, which are read and not kept.
    ///   - size: How many.
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
    /// The bytes of a socket's address with a port.
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
    /// Whether it is an IPv6 address, without brackets and zone.
    package var isIPv6Address: Bool { IPAddress(self)?.family == .v6 }

    /// Whether it is an IPv6 address that is valid on one link alone (RFC 4291 section 2.5.6).
    package var isLinkLocalIPv6Address: Bool {
        guard let address = IPAddress(self), address.family == .v6 else { return false }
        return address.value >> 118 == 0x3FA
    }
}
