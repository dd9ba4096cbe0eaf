import Foundation
import Testing

@Suite("What a cache stores", .timeLimit(.minutes(1)))
struct StoringTests {
    @Test(
        arguments: CacheCase.all(
            Self.responses, Self.statusCodes, Self.methods, Self.fields, Self.bodies))
    func holds(_ item: CacheCase) async { await item.run() }

    /// Returns a case for each kind of cache, of which some store the response.
    private static func stored(
        _ sentence: String, _ reply: Reply, by kinds: Set<CacheCase.Kind>,
        for request: FieldLines = [:]
    ) -> [CacheCase] {
        CacheCase.Kind.allCases.map { kind in
            CacheCase(
                sentence, in: kind, .get(request, .sent, reply),
                .get(request, kinds.contains(kind) ? .hit(status: reply.status) : .sent))
        }
    }

    private static let responses = CacheCase.all(
        stored(
            "a response with max-age is stored (3)", .control("max-age=10"),
            by: [.shared, .private]),
        stored(
            "a response with Expires is stored (3)", ["Expires": "{10}"], by: [.shared, .private]),
        stored(
            "s-maxage makes a response reusable only in a shared cache (5.2.2.10)",
            .control("s-maxage=10"), by: [.shared]),
        stored(
            "a response without a lifetime and validator is not reused (4.2)", [:], by: []),
        stored(
            "a response with no-store is not stored (5.2.2.5)", .control("no-store, max-age=10"),
            by: []),
        stored(
            "no-store wins over public (5.2.2.5)", .control("public, no-store, max-age=10"),
            by: []),
        stored(
            "no-store on a line of its own is obeyed (5.2.2.5)",
            ["Cache-Control": "max-age=10", "Cache-Control": "no-store"], by: []),
        stored(
            "an argument of no-store is ignored (5.2)", .control("no-store=x, max-age=10"), by: []),
        stored(
            "a private response is stored by a private cache alone (5.2.2.7)",
            .control("private, max-age=10"), by: [.private]),
        stored(
            "private wins over public in a shared cache (5.2.2.7)",
            .control("public, private, max-age=10"), by: [.private]),
        stored(
            "private wins over s-maxage in a shared cache (5.2.2.7)",
            .control("private, s-maxage=10, max-age=10"), by: [.private]),
        stored(
            "private with and without a field holds for the whole (5.2.2.7)",
            .control("private=\"X\", private, max-age=10"), by: [.private]),
        stored(
            "private with an empty list of fields holds for the whole (5.2.2.7)",
            .control("private=\"\", max-age=10"), by: [.private]),
        stored(
            "must-understand stores a status that is known in spite of no-store (5.2.2.3)",
            .control("must-understand, no-store, max-age=10"), by: [.shared, .private]),
        stored(
            "must-understand does not store a status that is not known (5.2.2.3)",
            .status(299, ["Cache-Control": "must-understand, max-age=10"]), by: []),
        stored(
            "must-understand and no-store do not store an unknown status (5.2.2.3)",
            .status(299, ["Cache-Control": "must-understand, no-store, max-age=10"]), by: []),
        stored(
            "a request with no-store stores nothing (5.2.1.5)", .control("max-age=10"), by: [],
            for: ["Cache-Control": "no-store"]),
        stored(
            "by our choice, a response with Set-Cookie is stored by a private cache alone (7.3)",
            ["Cache-Control": "max-age=10", "Set-Cookie": "a=b"], by: [.private]),
        stored(
            "by our choice, public does not have a shared cache store a cookie (7.3)",
            ["Cache-Control": "public, max-age=10", "Set-Cookie": "a=b"], by: [.private]),
        stored(
            "a cookie that private names does not hinder a shared cache (5.2.2.7)",
            ["Cache-Control": "private=\"Set-Cookie\", max-age=10", "Set-Cookie": "a=b"],
            by: [.shared, .private]),
        stored(
            "a cookie that no-cache names does not hinder a shared cache (5.2.2.4)",
            ["Cache-Control": "no-cache=\"set-cookie\", max-age=10", "Set-Cookie": "a=b"],
            by: [.shared, .private]),
        stored(
            "Vary: * is never reused (4.1)", ["Cache-Control": "max-age=10", "Vary": "*"], by: []),
        stored(
            "Pragma in a response means nothing (5.4)",
            ["Cache-Control": "max-age=10", "Pragma": "no-cache"], by: [.shared, .private]),
        stored(
            "Warning means nothing (5.5)",
            ["Cache-Control": "max-age=10", "Warning": "110 - \"stale\""],
            by: [.shared, .private])
    )

    private static let statusCodes = CacheCase.all(
        [
            200, 203, 204, 299, 300, 301, 302, 303, 307, 308, 400, 401, 403, 404, 405, 410, 414,
            418, 451, 500, 501, 502, 503, 504, 599,
        ].map { code in
            CacheCase(
                "a response of status \(code) with a lifetime is stored (3)",
                .get(.sent, .status(code, ["Cache-Control": "max-age=10"])),
                .get(.hit(status: code)))
        },
        [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 451, 501].map { code in
            CacheCase(
                "the lifetime of a response of status \(code) may be guessed (9110 15.1)",
                .get(.sent, .status(code, ["Last-Modified": "{-100}"])),
                .wait(9), .get(.hit(status: code))
            ).guessing()
        },
        [201, 302, 303, 307, 400, 403, 500, 503].map { code in
            CacheCase(
                "the lifetime of a response of status \(code) is not guessed (4.2.2)",
                .get(.sent, .status(code, ["Last-Modified": "{-100}"])), .get(.sent)
            ).guessing()
        },
        [
            CacheCase(
                "the lifetime of any public response may be guessed (5.2.2.9)",
                .get(
                    .sent,
                    .status(302, ["Last-Modified": "{-100}", "Cache-Control": "public"])),
                .wait(9), .get(.hit(status: 302))
            ).guessing(),
            CacheCase(
                "by our choice, a part of a body is not stored (3.3)",
                .get(
                    ["Range": "bytes=0-0"], .sent,
                    .status(206, ["Cache-Control": "max-age=10", "Content-Range": "bytes 0-0/2"])),
                .get(["Range": "bytes=0-0"], .sent), .get(.sent)),
        ])

    private static let methods = CacheCase.all(
        ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "get", "FOO"].map {
            method in
            CacheCase(
                "a response to \(method) is not stored (9110 9.2.3)",
                .send(method, .sent, .control("max-age=10")),
                .send(method, .sent, .control("max-age=10")), .get(.sent))
        },
        ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "get", "FOO"].map { method in
            CacheCase(
                "\(method) is not answered with the response to GET (4)",
                .get(.sent, .control("max-age=10")), .send(method, .sent, .status(405)))
        },
        CacheCase.both(
            "HEAD is answered with the response to GET, without its body (9110 9.3.2)",
            .get(.sent, ["Cache-Control": "max-age=10", "X-A": "b"]),
            .send("HEAD", .hit(["X-A": "b", "Content-Length": "1"]))),
        CacheCase.both(
            "GET is not answered with the response to HEAD (9110 9.3.2)",
            .send("HEAD", .sent, .control("max-age=10")), .get(.sent)))

    private static let fields = CacheCase.all(
        [
            "Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authentication-Info",
            "Proxy-Authorization", "Proxy-Connection", "TE", "Transfer-Encoding", "Upgrade",
        ].map { name in
            CacheCase(
                "\(name) is not stored (3.1)",
                .get(.sent([name: "x"]), ["Cache-Control": "max-age=10", name: "x"]),
                .get(.hit([name: nil])))
        },
        CacheCase.both(
            "fields that Connection names are not stored (3.1)",
            .get(
                .sent,
                [
                    "Cache-Control": "max-age=10", "Connection": "close, x-a", "X-A": "1",
                    "X-B": "2", "Connection": "X-C", "X-C": "3",
                ]),
            .get(.hit(["X-A": nil, "X-B": "2", "X-C": nil]))),
        CacheCase.both(
            "unknown fields are stored (3.1)",
            .get(.sent, ["Cache-Control": "max-age=10", "X-Unknown": "ä, \"b"]),
            .get(.hit(["X-Unknown": "ä, \"b"]))),
        CacheCase.both(
            "fields that no-cache names are not reused, but reach the first caller (5.2.2.4)",
            .get(
                .sent(["X-A": "1"]),
                ["Cache-Control": "no-cache=\"x-a, X-B\", max-age=10", "X-A": "1", "X-B": "2"]),
            .get(.hit(["X-A": nil, "X-B": nil]))),
        [
            CacheCase(
                "fields that private names are not shared, but reach the first caller (5.2.2.7)",
                .get(
                    .sent(["X-A": "1"]),
                    ["Cache-Control": "private=\"X-A\", max-age=10", "X-A": "1", "X-B": "2"]),
                .get(.hit(["X-A": nil, "X-B": "2"]))),
            CacheCase(
                "fields that private names are kept by a private cache (5.2.2.7)", in: .private,
                .get(.sent, ["Cache-Control": "private=\"X-A\", max-age=10", "X-A": "1"]),
                .get(.hit(["X-A": "1"]))),
            CacheCase(
                "the cookie that no-cache names reaches the caller whom it is for (5.2.2.4)",
                .get(
                    .sent(["Set-Cookie": "a=b"]),
                    ["Cache-Control": "no-cache=Set-Cookie, max-age=10", "Set-Cookie": "a=b"]),
                .get(.hit(["Set-Cookie": nil]))),
            CacheCase(
                "a missing Date is added with the time of arrival (9110 6.6.1)",
                .get(.sent, .control("max-age=10")), .wait(5), .get(.hit(["Date": "{-5}"]))),
            CacheCase(
                "a Date is kept (3.1)",
                .get(.sent, ["Cache-Control": "max-age=10", "Date": "{-2}"]), .wait(5),
                .get(.hit(["Date": "{-7}"]))),
        ])

    private static let bodies: [CacheCase] = [
        CacheCase(
            "by our choice, a body that is cut is not stored (3.3)",
            .get(.fails(.networkConnectionLost), .cut("12", ["Cache-Control": "max-age=10"])),
            .get(.sent)),
        CacheCase(
            "a body that is too large is not stored (3)",
            .get(
                .sent, .body(String(repeating: "a", count: 1_001), ["Cache-Control": "max-age=10"])),
            .get(.sent)),
        CacheCase(
            "an empty body is stored (3)",
            .get(.sent, .body("", ["Cache-Control": "max-age=10"])), .get(.hit(""))),
        CacheCase(
            "a response to GET with a later version replaces the former one (4)",
            .get(.sent, .control("max-age=10")), .wait(20), .get(.sent, .control("max-age=10")),
            .get(.hit("2"))),
    ]
}
