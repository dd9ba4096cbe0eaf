import Foundation
import Testing

@testable import BluebonnetTransport

@Suite("Host patterns")
struct HostPatternTests {
    @Test(
        "a pattern matches its host in any spelling, and a wildcard all its subdomains",
        arguments: [
            ("example.com", "https://example.com/", true),
            ("example.com", "https://EXAMPLE.com.:8443/a", true),
            ("Example.COM.", "https://example.com", true),
            ("example.com", "https://www.example.com/", false),
            ("example.com", "https://example.com.test/", false),
            ("*.example.com", "https://www.example.com/", true),
            ("*.example.com", "https://a.b.EXAMPLE.com./", true),
            ("*.example.com", "https://example.com/", false),
            ("*.example.com", "https://notexample.com/", false),
            ("*.example.com", "https://.example.com/", false),
            ("127.0.0.1", "https://0x7f.1/", true),
            ("127.0.0.1", "https://2130706433/", true),
            ("127.0.0.1", "https://127.0.0.1.test/", false),
            ("2001:db8::1", "https://[2001:DB8:0::1]:1/", true),
            ("[2001:db8::1]", "https://[2001:db8::1]/", true),
            ("2001:db8::1", "https://[2001:db8::2]/", false),
            ("*.0.0.1", "https://127.0.0.1/", false),
            ("a_b.example", "https://a_b.example/", true),
            ("example.com", "https://example.com../", true),
            ("::1", "http://[0:0::1]/", true),
        ])
    func matching(pattern: String, url: String, isMatch: Bool) {
        let host = URLHost(of: url)
        let specificity = host.flatMap { HostPattern(pattern).specificity(for: $0) }
        #expect((specificity != nil) == isMatch)
    }

    @Test("equivalent patterns are equal and have the same description")
    func equality() {
        let same: [(HostPattern, HostPattern)] = [
            ("Example.com.", "example.com"), ("*.Example.com", "*.example.com"),
            ("[2001:DB8:0::1]", "2001:db8::1"),
        ]
        for (left, right) in same {
            #expect(left == right)
            #expect(left.description == right.description)
        }
        #expect(HostPattern("*.example.com") != "example.com")
        #expect(HostPattern("*.example.com").description == "*.example.com")
    }

    @Test(
        "anything but a host is refused",
        arguments: [
            "", "*", "*.", ".", "..", "a..b", ".example.com", "*example.com", "a.*.example.com",
            "*.*.example.com", "https://example.com", "example.com:443", "example.com/", "a b",
            "user@example.com", "exämple.com", "*.127.0.0.1", "[::1]:443", "exa%6dple.com",
            "example.com\0", "example.com#",
            "**.a", "a*", "[::1", "*.a..", "a,b",
        ])
    func invalid(pattern: String) {
        #expect(!HostPattern(pattern).isValid)
        #expect(HostPattern(pattern).description == pattern)
    }
}
