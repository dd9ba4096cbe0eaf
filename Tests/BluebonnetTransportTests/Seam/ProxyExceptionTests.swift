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
        "a name stands for itself and the names under it",
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
        "an address stands for however it is written, and a network for what is in it",
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
