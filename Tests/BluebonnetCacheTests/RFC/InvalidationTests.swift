import Foundation
import Testing

@Suite("What an unsafe request invalidates", .timeLimit(.minutes(1)))
struct InvalidationTests {
    @Test(arguments: CacheCase.all(Self.methods, Self.statusCodes, Self.named, Self.scope))
    func holds(_ item: CacheCase) async { await item.run() }

    private static let fresh = Reply.control("max-age=100")

    private static let methods = CacheCase.all(
        ["POST", "PUT", "DELETE", "PATCH", "MKCOL", "FOO", "get"].flatMap { method in
            CacheCase.both(
                "\(method) invalidates the URL (4.4)", .get(.sent, fresh), .send(method, .sent),
                .get(.sent))
        },
        ["HEAD", "OPTIONS", "TRACE"].flatMap { method in
            CacheCase.both(
                "\(method) invalidates nothing (4.4)", .get(.sent, fresh),
                .send(method, ["Cache-Control": "no-cache"], .sent), .get(.hit))
        })

    private static let statusCodes = CacheCase.all(
        [200, 201, 202, 204, 206, 301, 302, 303, 307, 308].map { code in
            CacheCase(
                "POST with status \(code) invalidates the URL (4.4)", .get(.sent, fresh),
                .send("POST", .sent, .status(code)), .get(.sent))
        },
        [400, 401, 404, 409, 412, 500, 503].map { code in
            CacheCase(
                "POST with status \(code) invalidates nothing (4.4)", .get(.sent, fresh),
                .send("POST", .sent, .status(code)), .get(.hit))
        },
        [
            CacheCase(
                "POST that fails invalidates nothing (4.4)", .get(.sent, fresh),
                .send("POST", .fails(.timedOut), .failure(.timedOut)), .get(.hit))
        ])

    /// Returns cases of a response to POST that names the URL of a stored response.
    private static func names(
        _ sentence: String, _ reference: String, from target: String = "http://a.test/d/post",
        _ url: String = "http://a.test/d/x", isInvalidated: Bool
    ) -> [CacheCase] {
        ["Location", "Content-Location"].map { field in
            CacheCase(
                "\(field): \(reference) \(sentence) (4.4)", .get(.sent, fresh).at(url),
                .send("POST", .sent, [field: reference]).at(target),
                .get(isInvalidated ? .sent : .hit).at(url))
        }
    }

    private static let named = CacheCase.all(
        names("of the same origin is invalidated", "http://a.test/d/x", isInvalidated: true),
        names("that is relative is invalidated", "x", isInvalidated: true),
        names("that is an absolute path is invalidated", "/d/x", isInvalidated: true),
        names("with dot segments is invalidated", "../d/./x", isInvalidated: true),
        names("without a scheme is invalidated", "//a.test/d/x", isInvalidated: true),
        names("with the default port is invalidated", "http://a.test:80/d/x", isInvalidated: true),
        names("in other case is invalidated", "HTTP://A.TEST/d/x", isInvalidated: true),
        names("with a fragment is invalidated", "x#part", isInvalidated: true),
        names("of another URL invalidates no other", "/d/y", isInvalidated: false),
        names("in another case of the path invalidates no other", "/D/X", isInvalidated: false),
        names(
            "of another host is not invalidated", "http://b.test/x", "http://b.test/x",
            isInvalidated: false),
        names(
            "of another host without a scheme is not invalidated", "//b.test/x",
            "http://b.test/x", isInvalidated: false),
        names(
            "of another port is not invalidated", "http://a.test:8080/x", "http://a.test:8080/x",
            isInvalidated: false),
        names(
            "of another scheme is not invalidated", "https://a.test/x", "https://a.test/x",
            isInvalidated: false),
        names(
            "of a host that begins like ours is not invalidated", "http://a.test.b.test/x",
            "http://a.test.b.test/x", isInvalidated: false),
        names(
            "of a user that looks like our host is not invalidated", "http://a.test@b.test/x",
            "http://b.test/x", isInvalidated: false),
        names("that is no URL is ignored", "http://[::1", isInvalidated: false),
        names("that is empty is ignored", "", isInvalidated: false))

    private static let scope = CacheCase.all(
        CacheCase.both(
            "all variants are invalidated (4.4)",
            .get(["X-A": "1"], .sent, ["Cache-Control": "max-age=100", "Vary": "X-A"]),
            .get(["X-A": "2"], .sent, ["Cache-Control": "max-age=100", "Vary": "X-A"]),
            .send("PUT", .sent), .get(["X-A": "1"], .sent), .get(["X-A": "2"], .sent)),
        CacheCase.both(
            "another URL is not invalidated (4.4)",
            .get(.sent, fresh).at("http://a.test/x"), .send("PUT", .sent).at("http://a.test/x?a"),
            .get(.hit).at("http://a.test/x")),
        CacheCase.both(
            "a fragment does not hinder the invalidation (4.4)",
            .get(.sent, fresh).at("http://a.test/x"), .send("PUT", .sent).at("http://a.test/x#a"),
            .get(.sent).at("http://a.test/x")),
        CacheCase.both(
            "another spelling of the host does not hinder the invalidation (4.4)",
            .get(.sent, fresh).at("http://a.test/x"),
            .send("PUT", .sent).at("HTTP://A.test:80/x"), .get(.sent).at("http://a.test/x")),
        [
            CacheCase(
                "an unsafe request of one user invalidates the partitions of all (4.4)",
                in: .private,
                .get(["Authorization": "A"], .sent, fresh),
                .send("PUT", ["Authorization": "B"], .sent), .get(["Authorization": "A"], .sent))
        ])
}
