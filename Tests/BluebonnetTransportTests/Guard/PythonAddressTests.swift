import BluebonnetTestSupport
import Foundation
import Testing

@testable import BluebonnetTransport

@Suite(
    "The address guard compared with Python's ipaddress",
    .enabled(
        if: PythonScript.isInstalled,
        "needs python3: run scripts/setup --dev, which installs it"
    ),
    .timeLimit(.minutes(5))
)
struct PythonAddressTests {
    /// Rules for which the guard is stricter than `is_global` in any version of Python.
    static let stricter: Set<AddressGuard.Rule> = [
        .multicast, .metadata, .sixToFour, .teredo, .reserved, .protocolAssignments, .discardOnly,
        .ipv4Mapped, .ipv4Compatible, .ipv4Translated, .documentation, .siteLocal, .thisNetwork,
    ]

    static let script = """
        import ipaddress, sys
        for line in sys.stdin:
            print(1 if ipaddress.ip_address(line.strip()).is_global else 0)
        """

    /// Returns random addresses, with more of them near the ends of ranges.
    static func addresses() -> [IPAddress] {
        var generator = SystemRandomNumberGenerator()
        var addresses = (0..<4000).map { _ in IPAddress(generator.next() as UInt32) }
        for _ in 0..<4000 {
            let value =
                UInt128(generator.next() as UInt64) << 64 | UInt128(generator.next() as UInt64)
            addresses += [IPAddress(value), IPAddress(value >> 3 | 1 << 125)]
        }
        for text in SpecialRange.all.flatMap({ [$0.first, $0.last] }) {
            guard let address = IPAddress(text) else { continue }
            for distance in [0, 1, 2, UInt32.random(in: 3...100_000)] {
                if address.family == .v4 {
                    let value = UInt32(truncatingIfNeeded: address.value)
                    addresses += [IPAddress(value &+ distance), IPAddress(value &- distance)]
                } else {
                    let distance = UInt128(distance)
                    addresses += [
                        IPAddress(address.value &+ distance), IPAddress(address.value &- distance),
                        IPAddress(address.value &+ (distance << 90)),
                    ]
                }
            }
        }
        return addresses
    }

    @Test("what Python does not call global is denied, and further denials are by known rules")
    func agreement() throws {
        let addresses = Self.addresses()
        let lines = addresses.map { "\($0)\n" }.joined()
        let output = try PythonScript.output(Self.script, input: lines)
        let answers = output.split(separator: UInt8(ascii: "\n")).map { $0 == Data("1".utf8) }
        try #require(answers.count == addresses.count)
        for (address, isGlobal) in zip(addresses, answers) {
            let rule = AddressGuard.publicInternetOnly.rule(against: address)
            if isGlobal, let rule {
                // For a public address of a translator, the embedded address decides.
                let (inner, _) = address.embedded
                #expect(Self.stricter.contains(rule) || inner != nil, "\(address) \(rule)")
            }
            if !isGlobal { #expect(rule != nil, "\(address)") }
        }
    }
}
