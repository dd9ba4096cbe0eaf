import Bluebonnet
import BluebonnetFixtureServer

// Servers that set cookies which are not theirs to set, or too many.
extension Fault {
    /// A redirect that sets cookies, and how many of them go with the request after it.
    private static func setting(
        _ id: String, _ name: String, _ reaction: String, _ lines: [String], kept: Int = 0,
        ways: [Way] = [.plain, .tls]
    ) -> Fault {
        let fields = lines.map { "Set-Cookie: \($0)\r\n" }.joined()
        return Fault(
            id, name, .good, reaction,
            .answering(
                "HTTP/1.1 302 Found\r\nLocation: /good\r\n\(fields)Content-Length: 0\r\n\r\n")
        ) {
            $0.ways = ways
            $0.requestCount = 3
            $0.check = { _, server in
                let sent = server.requests.last?.headers["Cookie"] ?? ""
                let count = sent.split(separator: ";").count
                return count == kept ? nil : "\(count) cookies were sent: \(sent.prefix(200))"
            }
        }
    }

    private static let refused = "does not store the cookie"

    static var cookies: [Fault] {
        [
            setting(
                "77a", "a cookie of more than 4,096 bytes", refused,
                ["a=" + String(repeating: "x", count: 4096)]),
            setting("77b", "a cookie with a tab in its path", refused, ["a=b; Path=/\tx"]),
            setting(
                "77c", "a cookie for another domain", refused,
                ["a=b; Domain=other.test", "b=c; Domain=0.0.1"]),
            setting(
                "77d", "cookies for public suffixes, and one for a dot",
                "stores only the one for a dot, for the exact host",
                ["a=b; Domain=.com", "b=c; Domain=co.uk", "c=d; Domain=."], kept: 1),
            setting(
                "77e", "a Secure cookie over HTTP", refused,
                ["a=b; Secure", "__Secure-b=c; Secure", "__Host-c=d; Secure; Path=/"],
                ways: [.plain]),
            setting(
                "77f", "500 cookies", "stores 50",
                (1...500).map { "c\($0)=1; Path=/" }, kept: 50),
            setting(
                "77g", "an expired cookie", refused,
                ["a=b; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "b=c; Max-Age=-1"]),
            setting(
                "77h", "cookies without a name, or with control characters", refused,
                ["=b", "nothing", "a=b\u{1}c"]),
        ]
    }
}
