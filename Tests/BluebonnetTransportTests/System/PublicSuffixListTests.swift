import Testing

@testable import BluebonnetTransport

@Suite("PublicSuffixList")
struct PublicSuffixListTests {
    @Test(
        "a host can set cookies for itself and its parent domains, up to the registrable one",
        arguments: [
            ("example.com", "www.example.com", true), ("www.example.com", "www.example.com", true),
            ("com", "example.com", false), ("co.uk", "example.co.uk", false), ("com", "com", true),
            ("github.io", "evil.github.io", false), ("a.github.io", "b.a.github.io", true),
            ("example.com", "notexample.com", false), ("example.com", "other.com", false),
            ("internal", "a.internal", false), ("b.internal", "a.b.internal", true),
            ("xn--p1ai", "a.xn--p1ai", false), ("a.xn--p1ai", "b.a.xn--p1ai", true),
            ("b.kawasaki.jp", "a.b.kawasaki.jp", false),
            ("city.kawasaki.jp", "a.city.kawasaki.jp", true),
            ("", "a.com", false), ("a.com", "", false), (".com", "a.com", false),
            ("com.", "a.com.", false), ("co.uk\u{0}x", "a.co.uk\u{0}x", false),
            ("exämple.com", "a.exämple.com", false),
        ]
    )
    func permits(domain: String, host: String, isPermitted: Bool) {
        #expect(PublicSuffixList.permits(cookieDomain: domain, host: host) == isPermitted)
    }

    @Test("the list has suffixes, exceptions and private domains, and includes any single label")
    func suffixes() {
        for name in [
            "com", "co.uk", "github.io", "localhost", "a.kawasaki.jp", "xn--p1ai", "", ".a.b",
            "a.b.",
        ] {
            #expect(PublicSuffixList.isPublicSuffix(name), "\(name)")
        }
        for name in ["example.com", "city.kawasaki.jp", "a.b", "b.co.uk"] {
            #expect(!PublicSuffixList.isPublicSuffix(name), "\(name)")
        }
    }
}
