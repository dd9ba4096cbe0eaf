extension IPAddress {
    /// The IPv4 addresses in an IPv6 address, which packets to it can reach.
    ///
    /// A Teredo address contains two: the first is the server's, the second the client's. For other
    /// addresses, the second is nil.
    var embedded: (IPAddress?, IPAddress?) {
        guard family == .v6 else { return (nil, nil) }
        if isTeredo { return (bits(from: 32), bits(from: 96, isInverted: true)) }
        if hasPrefix(0x2002, bits: 16) { return (bits(from: 16), nil) }
        return endsInIPv4 ? (bits(from: 96), nil) : (nil, nil)
    }

    /// Whether this is a Teredo address (RFC 4380).
    private var isTeredo: Bool { hasPrefix(0x2001_0000, bits: 32) }

    /// Whether the last 32 bits are an IPv4 address.
    ///
    /// True for mapped and compatible addresses (RFC 4291), translated addresses (RFC 2765), and
    /// addresses behind a translator (RFC 6052, and RFC 8215 in the form of the same length).
    private var endsInIPv4: Bool {
        let isCompatible = value >> 32 == 0 && value > 1
        return isCompatible || value >> 32 == 0xFFFF || value >> 32 == 0xFFFF_0000
            || value >> 32 == 0x0064_FF9B << 64 || hasPrefix(0x0064_FF9B_0001, bits: 48)
    }

    private func hasPrefix(_ prefix: UInt128, bits: Int) -> Bool { value >> (128 - bits) == prefix }

    /// Returns the 32 bits that begin at a bit offset from the first bit.
    private func bits(from start: Int, isInverted: Bool = false) -> IPAddress {
        let bits = UInt32(truncatingIfNeeded: value >> (96 - start))
        return IPAddress(isInverted ? ~bits : bits)
    }
}
