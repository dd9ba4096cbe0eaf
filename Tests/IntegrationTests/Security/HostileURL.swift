import Bluebonnet
import Testing

/// A URL that tries to reach a forbidden address, with a port in place of `PORT`.
struct HostileURL: Sendable, CustomTestStringConvertible {
    enum Fate: Sendable, Equatable {
        /// The guard denies it with this rule.
        case denied(AddressGuard.Rule)
        /// The request is not built, with or without a guard.
        case refused
    }

    let text: String
    let fate: Fate

    var testDescription: String { text }

    func url(_ port: UInt16) -> URL? {
        URL(string: text.replacing("PORT", with: "\(port)"))
    }

    private static func denied(_ rule: AddressGuard.Rule, _ hosts: String...) -> [HostileURL] {
        hosts.map { HostileURL(text: "http://\($0):PORT/", fate: .denied(rule)) }
    }

    private static func refused(_ authorities: String...) -> [HostileURL] {
        authorities.map { HostileURL(text: "http://\($0)/", fate: .refused) }
    }

    /// The resolver's answers for the names among them.
    static let answers = [
        "inside.guard.test": "10.0.0.1", "xn--bcher-kva.guard.test": "192.168.0.1,10.0.0.1",
    ]

    static let all: [HostileURL] = Array(
        [
            denied(.loopback, "127.0.0.1", "127.1.2.3", "localhost", "LOCALHOST", "[::1]"),
            denied(.loopback, "[0:0:0:0:0:0:0:1]", "[0000::0001]"),
            denied(.unspecified, "0.0.0.0", "[::]"),
            denied(.thisNetwork, "0.1.2.3"),
            denied(.privateNetwork, "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"),
            denied(.sharedAddressSpace, "100.64.0.1"),
            denied(.linkLocal, "169.254.1.1", "[fe80::1]"),
            denied(
                .metadata, "169.254.169.254", "[fd00:ec2::254]", "100.100.100.200", "192.0.0.192"),
            denied(.metadata, "168.63.129.16", "169.254.170.2", "[fd20:ce::254]"),
            denied(.metadata, "[64:ff9b::a9fe:a9fe]", "[64:ff9b::169.254.169.254]"),
            denied(.protocolAssignments, "192.0.0.9", "[2001:1::1]"),
            denied(.documentation, "192.0.2.1", "198.51.100.1", "203.0.113.1", "[2001:db8::1]"),
            denied(.documentation, "[3fff::1]"),
            denied(.benchmarking, "198.18.0.1", "[2001:2::1]"),
            denied(.multicast, "224.0.0.1", "239.255.255.250", "[ff02::1]"),
            denied(.reserved, "240.0.0.1", "[4000::1]", "[64:ff9b::1:0:0]"),
            denied(.broadcast, "255.255.255.255"),
            denied(.uniqueLocal, "[fc00::1]", "[fd12:3456::1]"),
            denied(.siteLocal, "[fec0::1]"),
            denied(.discardOnly, "[100::1]"),
            denied(
                .ipv4Mapped, "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:ffff:10.0.0.1]"),
            denied(.ipv4Mapped, "[::FFFF:169.254.169.254]"),
            denied(.ipv4Compatible, "[::127.0.0.1]", "[::7f00:1]"),
            denied(.ipv4Translated, "[::ffff:0:127.0.0.1]", "[64:ff9b:1::127.0.0.1]"),
            denied(.loopback, "[64:ff9b::127.0.0.1]", "[64:ff9b::7f00:1]"),
            denied(.sixToFour, "[2002:7f00:1::]", "[2002:a9fe:a9fe::1]", "192.88.99.1"),
            denied(.teredo, "[2001:0:7f00:1::80ff:fffe]", "[2001::1]"),
            denied(.privateNetwork, "inside.guard.test", "INSIDE.guard.test.", "bücher.guard.test"),
            // Foundation converts these into the address they look like.
            denied(.loopback, "１２７.０.０.１", "127。0。0。1", "①②⑦.⓪.⓪.①", "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ"),
            refused("0177.0.0.1:PORT", "0177.0.0.01:PORT", "017700000001:PORT", "127.0.0.01:PORT"),
            refused("0x7f.0.0.1:PORT", "0x7f.1:PORT", "0x7f000001:PORT", "0X7F.0x0.0x0.0x1:PORT"),
            refused("127.1:PORT", "127.0.1:PORT", "2130706433:PORT", "0:PORT", "1:PORT"),
            refused("127.0.0.1.:PORT", "169.254.169.254.:PORT", "4294967297:PORT", "127.0.0.257"),
            refused("%31%32%37.0.0.1:PORT", "127.0.0.%31:PORT", "%6cocalhost:PORT", "127%2e0.0.1"),
            denied(.linkLocal, "[fe80::1%25eth0]", "[FE80::1%251]"),
            refused("[::1%25lo]:PORT", "[fec0::1%25eth0]:PORT", "[::ffff:127.0.0.1%251]:PORT"),
            refused("a.test@127.0.0.1:PORT", "a.test:x@127.0.0.1:PORT", "@127.0.0.1:PORT"),
            refused("127.0.0.1:PORT@a.test", "a%40b@127.0.0.1:PORT", "a.test%23@127.0.0.1:PORT"),
            refused("127.0.0.1:PORT\\@a.test", "a.test\\.127.0.0.1:PORT", "127.0.0.1\t:PORT"),
            refused("127.0.0.1:PORT:80", "127.0.0.1:+80", "127.0.0.1:0x50", "127.0.0.1 .a.test"),
            refused("localhost%00.a.test:PORT", "localhost%0d%0a:PORT", "[127.0.0.1]:PORT"),
        ].joined())
}
