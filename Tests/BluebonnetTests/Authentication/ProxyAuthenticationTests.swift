import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("Authentication to proxies", .timeLimit(.minutes(5)))
struct ProxyAuthenticationTests {
    static let digest = "Digest realm=p, nonce=n, qop=auth"

    static func head(_ field: String = digest) throws -> ResponseHead {
        try .test(407, [("Proxy-Authenticate", field)])
    }

    @Test("a forwarding proxy gets the whole URL, and proxy and server get their credentials")
    func forwarding() throws {
        let cache = AuthenticationCache()
        var task = TaskAuthentication(cache: cache)
        let request = try AuthenticatedRequest.test(
            "http://a.test?q#f", proxy: .testProxy)
        let challenge = try task.next(after: Self.head(), to: request).asked()
        #expect(challenge.isProxy)
        #expect(challenge.host == "proxy.test")
        #expect(challenge.port == 3128)
        #expect(challenge.protectionSpace.isProxy())
        #expect(challenge.protectionSpace.proxyType == NSURLProtectionSpaceHTTPProxy)
        let first = try task.answer(.useCredential(.test("proxy"))).retried()
        #expect(Array(first.keys) == ["Proxy-Authorization"])
        let parameters = first["Proxy-Authorization"]?.digestParameters
        #expect(parameters?["uri"] == "http://a.test/?q")
        #expect(parameters?["nc"] == "00000001")

        let server = try task.next(after: .unauthorized("Digest realm=s, nonce=m"), to: request)
        #expect(try !server.asked().isProxy)
        let second = try task.answer(.useCredential(.test("server"))).retried()
        #expect(second["Proxy-Authorization"]?.digestParameters["nc"] == "00000002")
        #expect(second["Proxy-Authorization"]?.digestParameters["username"] == "proxy")
        #expect(second["Authorization"]?.digestParameters["username"] == "server")
        #expect(second["Authorization"]?.digestParameters["uri"] == "http://a.test/?q")

        var next = TaskAuthentication(cache: cache)
        let other = try AuthenticatedRequest.test("http://b.test/", proxy: .testProxy)
        #expect(next.fields(for: other).map(\.name) == ["Proxy-Authorization"])
    }

    @Test("a 407 without a proxy is never answered (fault 74)")
    func noProxy() throws {
        var task = TaskAuthentication(cache: AuthenticationCache())
        #expect(task.next(after: try Self.head(), to: try .test()).isDelivery)
    }

    @Test(
        "the target is taken from the URL unchanged",
        arguments: [
            ("http://a.test", "/", "http://a.test/"),
            ("http://a.test?q", "/?q", "http://a.test/?q"),
            ("http://a.test/%2F/..//x?a=/#f?", "/%2F/..//x?a=/", "http://a.test/%2F/..//x?a=/"),
            ("http://a.test:81/#", "/", "http://a.test:81/"),
            ("http://a.test#/f", "/", "http://a.test/"),
        ]
    )
    func targets(url: String, originForm: String, absoluteForm: String) {
        #expect(RequestTarget.originForm(of: url) == originForm)
        #expect(RequestTarget.absoluteForm(of: url) == absoluteForm)
    }
}
