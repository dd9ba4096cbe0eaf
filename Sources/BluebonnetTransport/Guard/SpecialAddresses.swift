/// The address ranges outside the public internet, each with the rule that denies it.
///
/// They are the ranges in IANA's special-purpose registries for IPv4 and IPv6 (RFC 6890) that are
/// not globally reachable, multicast, and all IPv6 addresses outside 2000::/3 (RFC 4291).
///
/// The list is stricter than the registries in three cases. The blocks for protocol assignments are
/// denied as a whole, because the local network answers the reachable addresses in them, such as
/// the anycast address of PCP. The block of 6to4 relays, which RFC 7526 withdrew, is denied as a
/// whole. Metadata services with a public address are denied as well.
enum SpecialAddresses {
    typealias Entry = (range: AddressRange, rule: AddressGuard.Rule)

    /// Returns the rule that denies an address, or nil for an address of the public internet.
    static func rule(against address: IPAddress) -> AddressGuard.Rule? {
        let entries = address.family == .v4 ? ipv4 : ipv6
        if let entry = entries.first(where: { $0.range.contains(address) }) { return entry.rule }
        guard address.family == .v6 else { return nil }
        return globalUnicast.contains(address) || translated.contains(address) ? nil : .reserved
    }

    private static let ipv4: [Entry] = [
        four(169, 254, 169, 254, 32, .metadata),
        // Credentials for containers on Amazon ECS and EKS.
        four(169, 254, 170, 2, 32, .metadata),
        four(169, 254, 170, 23, 32, .metadata),
        four(169, 254, 0, 23, 32, .metadata),
        // Alibaba, Oracle and Azure.
        four(100, 100, 100, 200, 32, .metadata),
        four(192, 0, 0, 192, 32, .metadata),
        four(168, 63, 129, 16, 32, .metadata),
        four(0, 0, 0, 0, 32, .unspecified),
        four(0, 0, 0, 0, 8, .thisNetwork),
        four(10, 0, 0, 0, 8, .privateNetwork),
        four(100, 64, 0, 0, 10, .sharedAddressSpace),
        four(127, 0, 0, 0, 8, .loopback),
        four(169, 254, 0, 0, 16, .linkLocal),
        four(172, 16, 0, 0, 12, .privateNetwork),
        four(192, 0, 0, 0, 24, .protocolAssignments),
        four(192, 0, 2, 0, 24, .documentation),
        four(192, 88, 99, 0, 24, .sixToFour),
        four(192, 168, 0, 0, 16, .privateNetwork),
        four(198, 18, 0, 0, 15, .benchmarking),
        four(198, 51, 100, 0, 24, .documentation),
        four(203, 0, 113, 0, 24, .documentation),
        four(224, 0, 0, 0, 4, .multicast),
        four(255, 255, 255, 255, 32, .broadcast),
        four(240, 0, 0, 0, 4, .reserved),
    ]

    private static let ipv6: [Entry] = [
        // Amazon, Amazon EKS, Google, Oracle and OpenStack.
        six(0xFD00_0EC2 << 32, 0x254, 128, .metadata),
        six(0xFD00_0EC2 << 32, 0x23, 128, .metadata),
        six(0xFD20_00CE << 32, 0x254, 128, .metadata),
        six(0xFD00_00C1 << 32, 0xA9FE_A9FE, 128, .metadata),
        six(0xFE80 << 48, 0xA9FE_A9FE, 128, .metadata),
        six(0, 0, 128, .unspecified),
        six(0, 1, 128, .loopback),
        six(0, 0xFFFF << 32, 96, .ipv4Mapped),
        six(0, 0, 96, .ipv4Compatible),
        six(0, 0xFFFF << 48, 96, .ipv4Translated),
        six(0x0064_FF9B_0001 << 16, 0, 48, .ipv4Translated),
        six(0x0100 << 48, 0, 64, .discardOnly),
        six(0x2001 << 48, 0, 32, .teredo),
        six(0x2001_0002 << 32, 0, 48, .benchmarking),
        six(0x2001 << 48, 0, 23, .protocolAssignments),
        six(0x2001_0DB8 << 32, 0, 32, .documentation),
        six(0x2002 << 48, 0, 16, .sixToFour),
        six(0x3FFF << 48, 0, 20, .documentation),
        six(0xFC00 << 48, 0, 7, .uniqueLocal),
        six(0xFE80 << 48, 0, 10, .linkLocal),
        six(0xFEC0 << 48, 0, 10, .siteLocal),
        six(0xFF00 << 48, 0, 8, .multicast),
    ]

    private static let globalUnicast = six(0x2000 << 48, 0, 3, .reserved).range
    /// The addresses at which machines without IPv4 reach public IPv4 hosts (RFC 6052).
    private static let translated = six(0x0064_FF9B << 32, 0, 96, .reserved).range

    private static func four(
        _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32, _ length: Int, _ rule: AddressGuard.Rule
    ) -> Entry {
        let first = IPAddress(a << 24 | b << 16 | c << 8 | d)
        return (AddressRange(first: first, prefixLength: length), rule)
    }

    private static func six(
        _ upper: UInt64, _ lower: UInt64, _ length: Int, _ rule: AddressGuard.Rule
    ) -> Entry {
        let first = IPAddress(UInt128(upper) << 64 | UInt128(lower))
        return (AddressRange(first: first, prefixLength: length), rule)
    }
}
