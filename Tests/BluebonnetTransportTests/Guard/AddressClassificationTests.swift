import Foundation
import Testing

@testable import BluebonnetTransport

@Suite("Public addresses", .timeLimit(.minutes(5)))
struct AddressClassificationTests {
    static func rule(
        _ text: String, _ addressGuard: AddressGuard = .publicInternetOnly
    ) throws -> AddressGuard.Rule? {
        addressGuard.rule(against: try #require(IPAddress(text), "\(text)"))
    }

    @Test("each range is denied from its first to its last address", arguments: SpecialRange.all)
    func ranges(_ range: SpecialRange) throws {
        #expect(try Self.rule(range.first) == range.rule)
        #expect(try Self.rule(range.last) == range.rule)
        for neighbour in [range.before, range.after] {
            guard let neighbour else { continue }
            #expect(try Self.rule(neighbour) == nil, "\(neighbour)")
        }
    }

    @Test(
        "public addresses are allowed, also through a translator to IPv4",
        arguments: [
            "1.1.1.1", "8.8.8.8", "93.184.216.34", "192.31.196.1", "192.52.193.1", "192.175.48.1",
            "2606:4700::1111", "2a00:1450:4001:81b::200e", "2620:4f:8000::1", "64:ff9b::8.8.8.8",
            "2001:4860:4860::8888",
        ]
    )
    func publicAddresses(_ text: String) throws {
        #expect(try Self.rule(text) == nil)
    }

    @Test("an IPv6 address is allowed only if the IPv4 address in it is")
    func embedded() throws {
        var addressGuard = AddressGuard.publicInternetOnly
        addressGuard.allowedRanges = [try AddressRange("::/0")]
        for text in [
            "::ffff:127.0.0.1", "::127.0.0.1", "::ffff:0:10.0.0.1", "64:ff9b::192.168.0.1",
            "64:ff9b:1::172.16.0.1", "2002:0a00:0001::1", "2001:0:0808:0808::80ff:fffe",
            "2001:0:0a00:0001::f7f7:f7f7",
        ] {
            #expect(try Self.rule(text, addressGuard) != nil, "\(text)")
        }
        for text in [
            "::ffff:8.8.8.8", "::8.8.8.8", "::ffff:0:8.8.8.8", "64:ff9b:1::8.8.8.8",
            "2002:0808:0808::1", "2001:0:0808:0808::f7f7:f7f7", "::1", "::", "fe80::1",
        ] {
            #expect(try Self.rule(text, addressGuard) == nil, "\(text)")
        }
    }

    @Test("lists of ranges override the rules, and denied ranges override everything")
    func lists() throws {
        var addressGuard = AddressGuard.publicInternetOnly
        addressGuard.allowedRanges = [
            try AddressRange("10.1.0.0/16"), try AddressRange("fd00::/8"),
        ]
        addressGuard.deniedRanges = [
            try AddressRange("10.1.2.0/24"), try AddressRange("8.8.8.0/24"),
        ]
        #expect(try Self.rule("10.1.0.1", addressGuard) == nil)
        #expect(try Self.rule("10.2.0.1", addressGuard) == .privateNetwork)
        #expect(try Self.rule("10.1.2.3", addressGuard) == .deniedRange)
        #expect(try Self.rule("8.8.8.8", addressGuard) == .deniedRange)
        #expect(try Self.rule("64:ff9b::8.8.8.8", addressGuard) == .deniedRange)
        #expect(try Self.rule("8.8.9.8", addressGuard) == nil)
        #expect(try Self.rule("fd12::1", addressGuard) == nil)
        // Another notation is not the allowed address.
        #expect(try Self.rule("::ffff:10.1.0.1", addressGuard) == .ipv4Mapped)
    }

    @Test("a metadata service is allowed only by its exact address")
    func metadata() throws {
        var addressGuard = AddressGuard.publicInternetOnly
        addressGuard.allowedRanges = try [
            "169.254.0.0/16", "169.254.169.254/31", "0.0.0.0/0", "::/0",
        ].map { try AddressRange($0) }
        #expect(try Self.rule("169.254.169.254", addressGuard) == .metadata)
        #expect(try Self.rule("64:ff9b::169.254.169.254", addressGuard) == .metadata)
        #expect(try Self.rule("fd00:ec2::254", addressGuard) == .metadata)
        #expect(try Self.rule("169.254.169.253", addressGuard) == nil)
        addressGuard.allowedRanges.append(try AddressRange("169.254.169.254"))
        #expect(try Self.rule("169.254.169.254", addressGuard) == nil)
    }
}
