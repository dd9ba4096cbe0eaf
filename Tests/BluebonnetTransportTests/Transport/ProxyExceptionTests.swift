import Testing

@testable import BluebonnetTransport

@Suite("Hosts that are reached without a proxy")
struct ProxyExceptionTests {
    private func isDirect(_ url: String, _ entries: [String]) -> Bool {
        let proxy = Exchange.Route.Proxy(.http, host: "proxy.test", port: 80)
        let route = Exchange.Route(proxy: proxy, noProxy: entries)
        #expect((route.forwardingProxy(for: url) == nil) == route.isException(url))
        return route.isException(url)
    }

    @Test(
        "a name matches itself and its subdomains",
        arguments: ["a.test", ".a.test", "A.Test.", "b.test", "*"])
    func names(entry: String) {
        let others = ["c.test"]
        let isMeant = entry != "b.test"
        for url in ["http://a.test/", "http://A.TEST:81", "http://a.test.", "http://www.a.test?q"] {
            #expect(isDirect(url, others + [entry]) == isMeant, "\(url)")
        }
        for url in ["http://ba.test/", "http://a.test.evil.example/", "http://test/#a.test"] {
            #expect(isDirect(url, others + [entry]) == (entry == "*"), "\(url)")
        }
    }

    @Test(
        "an asterisk and a dot match the subdomains of a domain, but not the domain",
        arguments: ["*.a.test", "*.A.Test."])
    func wildcards(entry: String) {
        #expect(isDirect("http://www.a.test/", [entry]) && isDirect("http://x.y.a.test/", [entry]))
        #expect(!isDirect("http://a.test/", [entry]) && !isDirect("http://ba.test/", [entry]))
        #expect(isDirect("http://-a.test/", ["-a.test"]))
    }

    @Test(
        "an entry with a port matches only that port, by default the scheme's",
        arguments: [
            ("http://a.test/", "a.test:80", true), ("http://a.test:8080/", "a.test:80", false),
            ("http://a.test:8080/", "a.test:8080", true), ("http://b.a.test/", "a.test:80", true),
            ("http://b.a.test:81/", "*.a.test:81", true),
            ("http://10.1.1.1:81/", "10.1.1.1:81", true),
            ("http://10.1.1.1/", "10.1.1.1:81", false),
            ("http://10.1.1.1:81/", "10.0.0.0/8:81", true),
            ("http://[::1]:81/", "[::1]:81", true), ("http://[::1]/", "[::1]:81", false),
            ("http://a.test/", "*:80", true), ("http://a.test:81/", "*:80", false),
            ("http://a.test/", "a.test:0", false), ("http://a.test/", "a.test:", false),
            ("http://a.test/", "a.test:80:80", false),
        ])
    func ports(url: String, entry: String, isMeant: Bool) {
        #expect(isDirect(url, [entry]) == isMeant)
    }

    @Test(
        "an entry without a valid host is refused with its text, in routes and the environment",
        arguments: [
            "", "a b", "a,b", "*a.test", "a.*.test", "a.test:x", "a.test:65536", "10.0.0.0/33",
            "fd00::/x", "http://a.test", "a.test/24", "::1:99999:", "ä.test", "user@a.test", ".",
        ])
    func unusable(entry: String) {
        #expect(ProxyException(entry) == nil)
        var route = Exchange.Route()
        route.noProxy = ["a.test", entry]
        let failure = #expect(throws: Exchange.Failure.self) { try route.check() }
        #expect(failure?.message.contains(entry.debugDescription) == true, "\(failure as Any)")
        guard !entry.isEmpty, !entry.contains(" "), !entry.contains(",") else { return }
        for name in ["no_proxy", "NO_PROXY"] {
            let failure = #expect(throws: Exchange.Failure.self) {
                try Exchange.Route.fromEnvironment([name: "a.test, \(entry)"])
            }
            #expect(failure?.message.contains("\(name) in the environment") == true)
        }
    }

    @Test(
        "an address matches in any notation, and a network matches its addresses",
        arguments: [
            ("http://127.0.0.1/", "127.0.0.1", true), ("http://127.0.0.1/", "127.0.0.0/8", true),
            ("http://0x7f.1/", "127.0.0.1", true), ("http://128.0.0.1/", "127.0.0.0/8", false),
            ("http://10.1.255.9/", "10.1.254.0/23", true),
            ("http://10.1.253.9/", "10.1.254.0/23", false),
            ("http://10.1.1.1/", "0.0.0.0/0", true), ("http://10.1.1.1/", "10.1.1.1/32", true),
            ("http://10.1.1.1/", "10.0.0.0/33", false), ("http://10.1.1.1/", "10.0.0.0/x", false),
            ("http://10.1.1.1/", "0.0.0.0/-1", false), ("http://10.1.1.1/", "1.1", false),
            ("http://[::1]:80/", "::1", true), ("http://[0:0::1]/", "[::1]", true),
            ("http://[fd00::9]/", "fd00::/7", true), ("http://[fe80::9]/", "fd00::/8", false),
            ("http://[::1]/", "0.0.0.0/0", false), ("http://10.test/", "10.0.0.0/8", false),
        ])
    func addresses(url: String, entry: String, isMeant: Bool) {
        #expect(isDirect(url, [entry]) == isMeant)
    }
}
