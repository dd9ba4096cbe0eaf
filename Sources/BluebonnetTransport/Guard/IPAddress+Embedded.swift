extension IPAddress {
    /// The IPv4 addresses that packets to an IPv6 address may end at, as its form has them.
    ///
    /// Two in Teredo's form, whose first is the server's and whose second the client's; else the
    /// second is nil.
    var embedded: (IPAddress?, IPAddress?) {
        guard family == .v6 else { return (nil, nil) }
        if isTeredo { return (bits(from: 32), bits(from: 96, isInverted: true)) }
        if hasPrefix(0x2002, bits: 16) { return (bits(from: 16), nil) }
        return endsInIPv4 ? (bits(from: 96), nil) : (nil, nil)
    }

    /// RFC 4380.
    private var isTeredo: Bool { hasPrefix(0x2001_0000, bits: 32) }

    /// Mapped, compatible (RFC 4291), translated (RFC 2765), and behind a translator (RFC 6052 and,
    /// in the form of the same length, RFC 8215).
    private var endsInIPv4: Bool {
        let isCompatible = value >> 32 == 0 && value > 1
        return isCompatible || value >> 32 == 0xFFFF || value >> 32 == 0xFFFF_0000
            || value >> 32 == 0x0064_FF9B << 64 || hasPrefix(0x0064_FF9B_0001, bits: 48)
    }

    private func hasPrefix(_ prefix: UInt128, bits: Int) -> Bool { value >> (128 - bits) == prefix }

    /// The 32 bits that begin so many bits from the first.
    private func bits(from start: Int, isInverted: Bool = false) -> IPAddress {
        let bits = UInt32(truncatingIfNeeded: value >> (96 - start))
        return IPAddress(isInverted ? ~bits : bits)
    }
}
