import Testing

@testable import BluebonnetTransport

/// A range of addresses that are not public, and the rule that denies it.
struct SpecialRange: Sendable, CustomTestStringConvertible {
    let first: String
    let last: String
    let rule: AddressGuard.Rule
    /// The adjacent public addresses.
    let before: String?
    let after: String?

    init(
        _ first: String, _ last: String, _ rule: AddressGuard.Rule, before: String? = nil,
        after: String? = nil
    ) {
        self.first = first
        self.last = last
        self.rule = rule
        self.before = before
        self.after = after
    }

    var testDescription: String { "\(first)–\(last)" }

    /// From IANA's registries of special-purpose addresses and of the IPv4 and IPv6 spaces.
    static let all: [SpecialRange] = [
        Self("0.0.0.0", "0.0.0.0", .unspecified),
        Self("0.0.0.1", "0.255.255.255", .thisNetwork, after: "1.0.0.0"),
        Self(
            "10.0.0.0", "10.255.255.255", .privateNetwork, before: "9.255.255.255",
            after: "11.0.0.0"),
        Self(
            "100.64.0.0", "100.127.255.255", .sharedAddressSpace, before: "100.63.255.255",
            after: "100.128.0.0"),
        Self("100.100.100.200", "100.100.100.200", .metadata),
        Self(
            "127.0.0.0", "127.255.255.255", .loopback, before: "126.255.255.255",
            after: "128.0.0.0"),
        Self("168.63.129.16", "168.63.129.16", .metadata, before: "168.63.129.15"),
        Self(
            "169.254.0.0", "169.254.255.255", .linkLocal, before: "169.253.255.255",
            after: "169.255.0.0"),
        Self("169.254.169.254", "169.254.169.254", .metadata),
        Self("169.254.170.2", "169.254.170.2", .metadata),
        Self(
            "172.16.0.0", "172.31.255.255", .privateNetwork, before: "172.15.255.255",
            after: "172.32.0.0"),
        Self(
            "192.0.0.0", "192.0.0.255", .protocolAssignments, before: "191.255.255.255",
            after: "192.0.1.0"),
        Self("192.0.0.9", "192.0.0.10", .protocolAssignments),
        Self("192.0.0.192", "192.0.0.192", .metadata),
        Self("192.0.2.0", "192.0.2.255", .documentation, before: "192.0.1.255", after: "192.0.3.0"),
        Self(
            "192.88.99.0", "192.88.99.255", .sixToFour, before: "192.88.98.255",
            after: "192.88.100.0"),
        Self(
            "192.168.0.0", "192.168.255.255", .privateNetwork, before: "192.167.255.255",
            after: "192.169.0.0"),
        Self(
            "198.18.0.0", "198.19.255.255", .benchmarking, before: "198.17.255.255",
            after: "198.20.0.0"),
        Self(
            "198.51.100.0", "198.51.100.255", .documentation, before: "198.51.99.255",
            after: "198.51.101.0"),
        Self(
            "203.0.113.0", "203.0.113.255", .documentation, before: "203.0.112.255",
            after: "203.0.114.0"),
        Self("224.0.0.0", "239.255.255.255", .multicast, before: "223.255.255.255"),
        Self("240.0.0.0", "255.255.255.254", .reserved),
        Self("255.255.255.255", "255.255.255.255", .broadcast),
        Self("::", "::", .unspecified),
        Self("::1", "::1", .loopback),
        Self("::2", "::ffff:ffff", .ipv4Compatible),
        Self("::1:0:0", "::fffe:ffff:ffff", .reserved),
        Self("::ffff:0.0.0.0", "::ffff:255.255.255.255", .ipv4Mapped),
        Self("::ffff:0:0.0.0.0", "::ffff:0:255.255.255.255", .ipv4Translated),
        Self("64:ff9b::0.0.0.1", "64:ff9b::0.255.255.255", .thisNetwork),
        Self(
            "64:ff9b::10.0.0.0", "64:ff9b::10.255.255.255", .privateNetwork,
            before: "64:ff9b::9.255.255.255", after: "64:ff9b::11.0.0.0"),
        Self("64:ff9b::1:0:0", "64:ff9b:0:ffff:ffff:ffff:ffff:ffff", .reserved),
        Self("64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff", .ipv4Translated),
        Self("64:ff9b:2::", "ff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .reserved),
        Self("100::", "100::ffff:ffff:ffff:ffff", .discardOnly),
        Self("100:0:0:1::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .reserved),
        Self("2001::", "2001:0:ffff:ffff:ffff:ffff:ffff:ffff", .teredo, before: "2000:ffff::1"),
        Self("2001:1::", "2001:1:ffff:ffff:ffff:ffff:ffff:ffff", .protocolAssignments),
        Self("2001:2::", "2001:2:0:ffff:ffff:ffff:ffff:ffff", .benchmarking),
        Self(
            "2001:2:1::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", .protocolAssignments,
            after: "2001:200::"),
        Self(
            "2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", .documentation,
            before: "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", after: "2001:db9::"),
        Self(
            "2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .sixToFour,
            before: "2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff", after: "2003::"),
        Self(
            "3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", .documentation,
            before: "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", after: "3fff:1000::"),
        Self(
            "4000::", "fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .reserved,
            before: "3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
        Self("fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .uniqueLocal),
        Self("fd00:ec2::254", "fd00:ec2::254", .metadata),
        Self("fd00:ec2::23", "fd00:ec2::23", .metadata),
        Self("fd20:ce::254", "fd20:ce::254", .metadata),
        Self("fd00:c1::a9fe:a9fe", "fd00:c1::a9fe:a9fe", .metadata),
        Self("fe00::", "fe7f:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .reserved),
        Self("fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .linkLocal),
        Self("fe80::a9fe:a9fe", "fe80::a9fe:a9fe", .metadata),
        Self("fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .siteLocal),
        Self("ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .multicast),
    ]
}
