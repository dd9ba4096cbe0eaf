import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("The syntax of hosts", .timeLimit(.minutes(5)))
struct HostSyntaxTests {
    private static func spelling(_ authority: String) -> HostSyntax {
        var authority = authority
        return authority.withUTF8 { HostSyntax(of: $0[...]) }
    }

    @Test(
        "common names and addresses are accepted without a second check",
        arguments: [
            "a", "a.test", "A.Test.", "xn--bcher-kva.test", "a_b.test", "1.test", "1a", "0xg", "x1",
            "127.0.0.1", "255.255.255.255", "0.0.0.0", "a.test:80", "a.test:", "127.0.0.1:65535",
            "[::1]", "[::1]:8080", "[2001:DB8::1]", "[::ffff:127.0.0.1]", "1.2.3.4.a", "a.0x1g",
            "[fe80::1%25eth0]", "[FEBF::1%252]:80", "[fe80::1%25a-b_c.d~e]",
        ]
    )
    func plain(_ authority: String) {
        #expect(Self.spelling(authority) == .plain)
    }

    @Test(
        "a host that ends in a number must be four decimal numbers",
        arguments: [
            "0177.0.0.1", "0x7f.0.0.1", "0x7f.1", "127.1", "127.0.1", "2130706433", "017700000001",
            "0x7f000001", "0X7F000001", "127.0.0.1.", "127.0.0.01", "127.0.0.256", "1.2.3.4.5",
            "0x", "a.0x", "a.1", "a.1.", "0", "00000000000000000177.0.0.1", "127.0.0.0x1",
            "4294967296", "99999999999999999999", "1:80",
        ]
    )
    func numbers(_ authority: String) {
        #expect(Self.spelling(authority) == .number)
    }

    @Test(
        "all other hosts need a second check",
        arguments: [
            "a%2etest", "%31%32%37.0.0.1", "a!b", "a~b", "a b", "[::1%25lo]",
            "[fe80::1%eth0]", "[fe80::1%25]", "[fe80::1%25a%25]", "[fe80::1%25a/b]",
            "[fec0::1%25eth0]", "[::ffff:127.0.0.1%251]", "[fe80::1%25abcdefghijklmnop]",
            "[::1", "[127.0.0.1]", "[::1]x", "[::1]:x", "[]", "[v1.a]", "a:b", "a:80:90", "a:+80",
            "a:000080", "a,b", "a;b", "a*b", "\u{E4}.test",
        ]
    )
    func unusual(_ authority: String) {
        #expect(Self.spelling(authority) == .unusual)
    }

    @Test(
        "a port above 65535 is a separate fault, for any host",
        arguments: [
            "a:65536", "a:99999", "a:123456", "[::1]:65536", "1.2.3.4:0099999", "a!b:70000",
        ])
    func badPort(_ authority: String) {
        #expect(Self.spelling(authority) == .badPort)
        #expect(throws: RequestSerializationError.self) {
            try ExchangeBuilderTests.build("http://\(authority)/")
        }
    }

    @Test("the zone of a link-local address stays in the URL but is not part of the host")
    func zones() throws {
        let text = "http://[fe80::1%25eth0]:81/a"
        let exchange = try ExchangeBuilderTests.build(text)
        #expect(exchange.url == text)
        #expect(URLAuthority(of: text)?.hostText == "fe80::1")
        var configuration = SessionConfiguration()
        configuration.addressGuard = .publicInternetOnly
        #expect(throws: Exchange.Failure.self) {
            try configuration.addressGuard?.check(text, on: Exchange.Route())
        }
    }

    @Test(
        "a name with an empty label is refused, even if all parsers agree",
        arguments: [
            ".", "..", "a..b", "a.test..", "a.test...", ".a.test", "1..", "127..1", ".127.0.0.1",
            "127.0.0.1..", "a..:80",
        ]
    )
    func emptyLabels(_ authority: String) {
        #expect(Self.spelling(authority) == .emptyLabel)
        guard let url = URL(string: "http://\(authority)/") else { return }
        #expect(URLFault(of: url, url.absoluteString) == .emptyLabel)
    }

    @Test(
        "a host that Foundation and libcurl read differently is refused",
        arguments: [
            "http://%31%32%37.0.0.1/", "http://127.0.0.%31/", "http://a%2etest/",
            "http://%6c%6f%63alhost/", "http://a%00.test/", "http://a.test%2f@b.test/",
            "http://a.test%23@b.test/", "http://a.test%5c.b.test/", "http://[::1%25lo]/",
            "http://a.test:80:81/",
            "http://0x7f.1/", "http://127.1/", "http://2130706433/", "http://127.0.0.1./",
            "http://[::127.0.0.1.]/", "http://[1]/",
        ]
    )
    func refused(_ text: String) {
        guard let url = URL(string: text) else { return }
        #expect(URLFault(of: url, url.absoluteString) != nil)
        #expect(throws: RequestSerializationError.self) { try ExchangeBuilderTests.build(text) }
    }

    @Test(
        "the reason contains the host and nothing else of the URL", arguments: ["0x7f.1", "%61"])
    func reasons(_ host: String) throws {
        let text = "http://\(host):81/hush?hush#hush"
        let error = try #require(throws: RequestSerializationError.self) {
            try ExchangeBuilderTests.build(text)
        }
        #expect(error.reason.contains("\"\(host):81\""))
        #expect(!error.reason.contains("hush"))
    }

    @Test("every accepted URL has the same host and port in Foundation and libcurl")
    func agreement() throws {
        let pieces = [
            "a", "b.test", ".", "..", "-", "_", "1", "127", "0.0.1", "0x7f", "%31", "%2e", "%25",
            "%00", "@", ":", ":80", ":081", "\\", "/", "//", "?", "#", "[", "]", "::1", "[::1]",
            "%",
            "~", "!", "$", "&", "'", "(", "*", "+", ",", ";", "=", "é", "１", "。", "ß", "\t", " ",
        ]
        var accepted = 0
        for _ in 0..<20_000 {
            let count = Int.random(in: 1...6)
            let rest = (0..<count).compactMap { _ in pieces.randomElement() }.joined()
            guard let url = URL(string: "http://" + rest),
                URLFault(of: url, url.absoluteString) == nil
            else { continue }
            accepted += 1
            let authority = URLAuthority(of: url.absoluteString)
            // libcurl refuses more, which is not a disagreement.
            guard let authority else { continue }
            #expect(url.host?.lowercased() == authority.hostText, "\(url)")
            #expect(url.port ?? 80 == authority.port, "\(url)")
        }
        #expect(accepted > 500)
    }
}
