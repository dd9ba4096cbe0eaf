import Bluebonnet
import Testing

@Suite("Hostile input", .timeLimit(.minutes(1)))
struct HostileInputTests {
    @Test(arguments: CacheCase.all(Self.keys, Self.fields))
    func holds(_ item: CacheCase) async { await item.run() }

    /// Returns a case of two URLs, of which the second gets the response to the first or not.
    private static func url(
        _ sentence: String, _ first: String, _ second: String, isSame: Bool
    ) -> CacheCase {
        CacheCase(
            sentence, .get(.sent, .control("max-age=10")).at(first),
            .get(isSame ? .hit : .sent).at(second))
    }

    private static let long = "http://a.test/" + String(repeating: "a", count: 65_000)

    private static let keys: [CacheCase] = [
        url(
            "a fragment is no part of a key (9110 4.2)", "http://a.test/x#1", "http://a.test/x#2",
            isSame: true),
        url(
            "a fragment does not hide a query (9110 4.2)", "http://a.test/x#?a",
            "http://a.test/x?a",
            isSame: false),
        url(
            "the default port is no part of a key (9110 4.2.3)", "http://a.test:80/",
            "http://a.test/", isSame: true),
        url(
            "the default port of https is no part of a key (9110 4.2.3)",
            "https://a.test:443/", "https://a.test/", isSame: true),
        url(
            "an empty port is the default one (9110 4.2.3)", "http://a.test:/", "http://a.test/",
            isSame: true),
        url(
            "another port is another key (9110 4.2.3)", "http://a.test:8080/", "http://a.test/",
            isSame: false),
        url(
            "the port of another scheme is another key (9110 4.2.3)", "http://a.test:443/",
            "http://a.test/", isSame: false),
        url(
            "a port that ends with the default one is another key (9110 4.2.3)",
            "http://a.test:8080/", "http://a.test:80/", isSame: false),
        url(
            "the end of an address is no port (3986 3.2.2)", "http://[::1:80]/", "http://[::1]/",
            isSame: false),
        url(
            "another scheme is another key (9110 4.2)", "http://a.test/", "https://a.test/",
            isSame: false),
        url(
            "the case of scheme and host does not matter (9110 4.2.3)", "HTTP://A.Test/x",
            "http://a.test/x", isSame: true),
        url(
            "the case of a path matters (9110 4.2.3)", "http://a.test/x", "http://a.test/X",
            isSame: false),
        url(
            "the case of a query matters (9110 4.2.3)", "http://a.test/?x", "http://a.test/?X",
            isSame: false),
        url(
            "an empty path is a slash (9110 4.2.3)", "http://a.test", "http://a.test/",
            isSame: true),
        url(
            "an empty path before a query is a slash (9110 4.2.3)", "http://a.test?a",
            "http://a.test/?a", isSame: true),
        url(
            "an empty query is another key (9110 4.2.3)", "http://a.test/", "http://a.test/?",
            isSame: false),
        url(
            "by our choice, dot segments are another key (9110 4.2.3)", "http://a.test/a/../x",
            "http://a.test/x", isSame: false),
        url(
            "by our choice, an escaped letter is another key (9110 4.2.3)", "http://a.test/%78",
            "http://a.test/x", isSame: false),
        url(
            "an escaped slash is another key (9110 4.2.3)", "http://a.test/a%2Fb",
            "http://a.test/a/b", isSame: false),
        url(
            "a second slash is another key (9110 4.2.3)", "http://a.test//x", "http://a.test/x",
            isSame: false),
        url(
            "a user is another key (9110 4.2.4)", "http://u@a.test/", "http://a.test/",
            isSame: false),
        url(
            "another password is another key (9110 4.2.4)", "http://u:a@a.test/",
            "http://u:b@a.test/", isSame: false),
        url(
            "the case of a user matters (9110 4.2.4)", "http://U@a.test/", "http://u@a.test/",
            isSame: false),
        url(
            "a host as user is not the host (9110 4.2.4)", "http://b.test@a.test/",
            "http://b.test/", isSame: false),
        url(
            "an at sign in a path is no user (3986 3.3)", "http://a.test/@b.test/",
            "http://b.test/", isSame: false),
        url(
            "an at sign in a query is no user (3986 3.4)", "http://a.test?@B.test/X",
            "http://a.test?@b.test/x", isSame: false),
        url(
            "another order of a query is another key (9110 4.2.3)", "http://a.test/?a&b",
            "http://a.test/?b&a", isSame: false),
        url("a URL of 64 KB is a key (4)", long, long, isSame: true),
        url("the end of a URL of 64 KB counts (4)", long + "a", long + "b", isSame: false),
    ]

    private static let fields: [CacheCase] = [
        CacheCase(
            "hundreds of lines of Cache-Control are obeyed to the last (5.2)",
            .get(
                .sent, many("Cache-Control", "x=1", and: ["Cache-Control": "max-age=10, no-store"])),
            .get(.sent)),
        CacheCase(
            "hundreds of entity tags do not hinder a comparison (9110 13.1.2)",
            .get(.sent, ["Cache-Control": "max-age=10", "ETag": "\"999\""]),
            .get(
                ["If-None-Match": (0..<1_000).map { "\"\($0)\"" }.joined(separator: ", ")],
                .hit("", status: 304))),
        CacheCase(
            "entity tags without an end do not hang (9110 13.1.2)",
            .get(.sent, ["Cache-Control": "max-age=10", "ETag": "\"a\""]),
            .get(
                ["If-None-Match": String(repeating: "\"b", count: 30_001)], .hit)),
        CacheCase(
            "a tag of 60 KB is sent back (4.3.1)",
            .get(
                .sent, ["ETag": "\"" + String(repeating: "a", count: 60_000) + "\""]),
            .get(
                .validated(
                    request: ["If-None-Match": "\"" + String(repeating: "a", count: 60_000) + "\""]
                ), .status(304))),
        CacheCase(
            "quotes without an end hide no directive, by our choice (5.2)",
            .get(.sent, .control("\", max-age=10, \"a, no-store")), .get(.sent)),
        CacheCase(
            "a Connection that names Cache-Control does not make a response reusable (3.1)",
            .get(
                .sent,
                ["Cache-Control": "no-cache", "Expires": "{60}", "Connection": "cache-control"]),
            .get(.sent)),
        CacheCase(
            "a private that names Cache-Control does not make a response reusable (5.2.2.7)",
            .get(
                .sent,
                ["Cache-Control": "no-cache, private=\"cache-control\"", "Expires": "{60}"]),
            .get(.sent)),
        CacheCase(
            "a Connection that names Vary does not widen the reuse (3.1)",
            .get(
                ["X-A": "1"], .sent,
                ["Cache-Control": "max-age=10", "Vary": "X-A", "Connection": "Vary"]),
            .get(["X-A": "2"], .sent)),
        CacheCase(
            "unknown fields by the hundred are stored (3.1)",
            .get(.sent, many("X-A", "1", and: ["Cache-Control": "max-age=10"])), .get(.hit)),
    ]

    private static func many(_ name: String, _ value: String, and reply: Reply) -> Reply {
        var many = reply
        let line = reply.fields.lines[0]
        many.fields.lines = Array(repeating: line, count: 500)
        for index in 0..<499 { many.fields.lines[index].name = name }
        for index in 0..<499 { many.fields.lines[index].value = value }
        return many
    }
}
