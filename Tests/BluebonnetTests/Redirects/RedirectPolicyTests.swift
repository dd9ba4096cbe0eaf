import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet
@testable import BluebonnetTransport

@Suite("The request after a redirect", .timeLimit(.minutes(5)))
struct RedirectPolicyTests {
    static func decide(
        _ status: Int = 302,
        from url: String = "http://a.test/one/two?q",
        to location: String?,
        method: String = "GET",
        headers: [String: String] = [:],
        followed: Int = 0,
        maximum: Int = 20
    ) throws -> RedirectPolicy.Decision {
        let url = try #require(URL(string: url))
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.httpBody = method == "GET" ? nil : Data("body".utf8)
        request.allHTTPHeaderFields = headers
        let fields = location.map { HTTPHeaders(["Location": $0]) } ?? [:]
        let head = ResponseHead(
            statusCode: status, headers: fields, url: url, requestMethod: method
        )
        var configuration = SessionConfiguration()
        configuration.maximumRedirects = maximum
        return RedirectPolicy(configuration: configuration)
            .decision(after: head, to: request, followed: followed)
    }

    static func next(_ decision: RedirectPolicy.Decision) throws -> URLRequest {
        guard case .follow(let request) = decision else {
            Issue.record("\(decision)")
            throw CancellationError()
        }
        return request
    }

    @Test(
        "the bytes of a Location are kept, in any encoding",
        arguments: [
            ("/caf\u{E9}", "/caf%E9"), ("/caf\u{C3}\u{A9}", "/caf%C3%A9"),
            ("/a?\u{FF}=%C3", "/a?%FF=%C3"), ("//b.test/\u{80}#\u{FE}", "/%80#%FE"),
            ("\u{A0}", "/one/%A0"),
        ])
    func bytes(latin1: String, expected: String) throws {
        let url = try #require(URL(string: "http://a.test/one/two"))
        let block = FieldBlock()
        let line = Array("Location".utf8) + latin1.unicodeScalars.map { UInt8($0.value) }
        line.withUnsafeBytes { block.append($0, nameLength: 8, value: 8..<line.count) }
        let head = ResponseHead(
            Exchange.Head(statusCode: 302, block: block, declaredLength: nil), url: url,
            requestMethod: "GET")
        let next = try Self.next(
            RedirectPolicy(configuration: SessionConfiguration())
                .decision(after: head, to: URLRequest(url: url), followed: 0))
        #expect(next.url?.absoluteString.hasSuffix(expected) == true, "\(next.url as Any)")
    }

    @Test(
        "a redirect to a port that is above 65535 or not a number is refused",
        arguments: ["99999", "65536", "100000", "4294967376", "00065536", "x", "-1"])
    func badPort(port: String) throws {
        guard case .refuse(let reason) = try Self.decide(to: "http://b.test:\(port)/") else {
            Issue.record("\(port)")
            return
        }
        #expect(reason.contains(port) || reason.contains("b.test") || reason.contains("not a URL"))
        for good in ["65535", "00080", "8080", ""] {
            _ = try Self.next(Self.decide(to: "http://b.test:\(good)/"))
        }
    }

    @Test(
        "the status code determines the method and the body",
        arguments: [
            (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"),
            (307, "POST", "POST"), (308, "POST", "POST"),
            (301, "PUT", "PUT"), (302, "DELETE", "DELETE"), (303, "PUT", "GET"),
            (303, "HEAD", "HEAD"), (301, "HEAD", "HEAD"), (307, "PATCH", "PATCH"),
        ]
    )
    func methods(status: Int, method: String, expected: String) throws {
        let request = try Self.next(
            Self.decide(
                status, to: "/x", method: method,
                headers: ["Content-Type": "text/plain", "content-language": "de", "X-Own": "1"]
            )
        )
        #expect(request.httpMethod == expected)
        #expect((request.httpBody == nil) == (expected == "GET"))
        #expect((request.value(forHTTPHeaderField: "Content-Type") == nil) == (expected == "GET"))
        #expect(
            (request.value(forHTTPHeaderField: "Content-Language") == nil) == (expected == "GET"))
        #expect(request.value(forHTTPHeaderField: "X-Own") == "1")
    }

    @Test(
        "secrets are kept within scheme, host and port",
        arguments: [
            ("http://a.test/x", true), ("http://A.TEST:80/x", true), ("/x", true),
            ("http://a.test:81/x", false), ("https://a.test/x", false),
            ("http://b.a.test/x", false), ("//b.test/x", false), ("http://a.test.evil/x", false),
        ]
    )
    func secrets(location: String, areKept: Bool) throws {
        let names = ["Authorization", "cookie", "Proxy-Authorization", "Host"]
        let headers = Dictionary(uniqueKeysWithValues: names.map { ($0, "secret") })
        let request = try Self.next(Self.decide(to: location, headers: headers))
        for name in names {
            #expect((request.value(forHTTPHeaderField: name) != nil) == areKept, "\(name)")
        }
    }

    @Test(
        "a Location is resolved against the responding URL",
        arguments: [
            ("/x", "http://a.test/x"), ("x", "http://a.test/one/x"), ("../x", "http://a.test/x"),
            ("?y", "http://a.test/one/two?y"), ("//b.test/x", "http://b.test/x"),
            ("https://b.test", "https://b.test"), ("/a%20b?c=%2F", "http://a.test/a%20b?c=%2F"),
            ("HTTP://b.test/", "HTTP://b.test/"),
        ]
    )
    func locations(location: String, expected: String) throws {
        #expect(try Self.next(Self.decide(to: location)).url?.absoluteString == expected)
    }

    @Test(
        "invalid destinations are refused",
        arguments: [
            "ftp://a.test/", "file:///etc/passwd", "javascript:alert(1)", "http://", "data:,x",
        ]
    )
    func refusals(location: String) throws {
        guard case .refuse = try Self.decide(to: location) else {
            Issue.record("\(location) was not refused")
            return
        }
    }

    @Test("https never leads to http, and http can lead to https")
    func downgrade() throws {
        guard case .refuse = try Self.decide(from: "https://a.test/", to: "http://a.test/") else {
            Issue.record("the downgrade was followed")
            return
        }
        _ = try Self.next(Self.decide(to: "https://a.test/"))
        _ = try Self.next(Self.decide(from: "https://a.test/", to: "https://b.test/"))
    }

    @Test("the limit counts the followed redirects")
    func limit() throws {
        _ = try Self.next(Self.decide(to: "/", followed: 4, maximum: 5))
        for (followed, maximum) in [(5, 5), (0, 0)] {
            let decision = try Self.decide(to: "/", followed: followed, maximum: maximum)
            guard case .refuse = decision else {
                Issue.record("\(followed) of \(maximum)")
                continue
            }
        }
    }

    @Test("a redirect without a Location, and any other status with one, is the response")
    func noRedirect() throws {
        for (status, location) in [(302, nil), (300, "/x"), (304, "/x"), (305, "/x"), (201, "/x")] {
            guard case .deliver = try Self.decide(status, to: location) else {
                Issue.record("\(status)")
                continue
            }
        }
    }
}
