import Testing

@Suite("What a validation changes", .timeLimit(.minutes(1)))
struct FresheningTests {
    @Test(arguments: CacheCase.all(Self.fields, Self.heads, Self.candidates, Self.limits))
    func holds(_ item: CacheCase) async { await item.run() }

    private static let fields = CacheCase.all(
        CacheCase.both(
            "304 replaces fields, and keeps those that it does not have (3.2)",
            .get(
                .sent,
                [
                    "Cache-Control": "max-age=10", "ETag": "\"a\"", "X-A": "1", "X-A": "2",
                    "X-B": "1", "Content-Type": "text/plain",
                ]), .wait(10),
            .get(
                .validated(["X-A": "3", "X-B": "1", "X-C": "1", "Content-Type": "text/html"]),
                .status(
                    304,
                    ["ETag": "\"a\"", "x-a": "3", "X-C": "1", "Content-Type": "text/html"])),
            .get(.hit(["X-A": "3", "X-B": "1", "X-C": "1", "Content-Type": "text/html"]))),
        CacheCase.both(
            "304 never changes Content-Length (3.2)",
            .get(.sent, ["Cache-Control": "max-age=10", "ETag": "\"a\""]), .wait(10),
            .get(
                .validated(["Content-Length": "1"]),
                .status(304, ["ETag": "\"a\"", "Content-Length": "77"])),
            .get(.hit(["Content-Length": "1"]))),
        CacheCase.both(
            "304 changes the lifetime (4.3.4)",
            .get(.sent, ["Cache-Control": "max-age=10", "ETag": "\"a\""]), .wait(10),
            .get(
                .validated(), .status(304, ["ETag": "\"a\"", "Cache-Control": "max-age=100"])),
            .wait(99), .get(.hit)),
        CacheCase.both(
            "304 with no lifetime makes the former lifetime begin again (4.3.4)",
            .get(.sent, ["Cache-Control": "max-age=10", "ETag": "\"a\""]), .wait(10),
            .get(.validated(), .status(304, ["ETag": "\"a\""])), .wait(9), .get(.hit)),
        CacheCase.both(
            "304 replaces Expires (4.3.4)",
            .get(.sent, ["Expires": "{10}", "ETag": "\"a\""]), .wait(10),
            .get(.validated(), .status(304, ["ETag": "\"a\"", "Expires": "{50}"])), .wait(49),
            .get(.hit)),
        CacheCase.both(
            "304 can forbid the reuse without validation (4.3.4)",
            .get(.sent, ["Cache-Control": "max-age=10", "ETag": "\"a\""]), .wait(10),
            .get(
                .validated(),
                .status(304, ["ETag": "\"a\"", "Cache-Control": "no-cache, max-age=100"])),
            .get(.validated(), .status(304, ["ETag": "\"a\""]))),
        CacheCase.both(
            "hop-by-hop fields of 304 are not stored (3.1)",
            .get(.sent, ["Cache-Control": "max-age=10", "ETag": "\"a\""]), .wait(10),
            .get(
                .validated(),
                .status(304, ["ETag": "\"a\"", "Connection": "X-A", "X-A": "1", "X-B": "2"])),
            .get(.hit(["Connection": nil, "X-A": nil, "X-B": "2"]))),
        [
            CacheCase(
                "a cookie of 304 reaches its caller and no other (7.3)",
                .get(.sent, ["Cache-Control": "max-age=10", "ETag": "\"a\""]), .wait(10),
                .get(
                    .validated(["Set-Cookie": "id=me"]),
                    .status(304, ["ETag": "\"a\"", "Set-Cookie": "id=me"])),
                .wait(10),
                .get(.validated(["Set-Cookie": nil]), .status(304, ["ETag": "\"a\""]))),
            CacheCase(
                "fields that private names in 304 reach its caller and no other (5.2.2.7)",
                .get(.sent, ["Cache-Control": "max-age=10", "ETag": "\"a\""]), .wait(10),
                .get(
                    .validated(["X-A": "me"]),
                    .status(
                        304,
                        [
                            "ETag": "\"a\"", "X-A": "me",
                            "Cache-Control": "private=X-A, max-age=10",
                        ])),
                .get(.hit(["X-A": nil]))),
        ])

    private static let heads = CacheCase.all(
        CacheCase.both(
            "HEAD with the same tag freshens the response to GET (4.3.5)",
            .get(.sent, ["Cache-Control": "max-age=10", "ETag": "\"a\""]), .wait(10),
            .send(
                "HEAD", .sent,
                [
                    "Cache-Control": "max-age=50", "ETag": "\"a\"", "X-A": "1",
                    "Content-Length": "1",
                ]), .wait(40), .get(.hit(["X-A": "1"]))),
        CacheCase.both(
            "HEAD with another tag makes the response to GET stale (4.3.5)",
            .get(.sent, ["Cache-Control": "max-age=100", "ETag": "\"a\""]),
            .send(
                "HEAD", ["Cache-Control": "no-cache"], .sent,
                ["Cache-Control": "max-age=50", "ETag": "\"b\""]), .get(.sent)),
        CacheCase.both(
            "HEAD with another Last-Modified makes the response to GET stale (4.3.5)",
            .get(.sent, ["Cache-Control": "max-age=100", "Last-Modified": "{-50}"]),
            .send(
                "HEAD", ["Cache-Control": "no-cache"], .sent,
                ["Cache-Control": "max-age=50", "Last-Modified": "{-20}"]), .get(.sent)),
        CacheCase.both(
            "HEAD with the same tag and another Last-Modified makes it stale (4.3.5)",
            .get(
                .sent,
                ["Cache-Control": "max-age=100", "Last-Modified": "{-50}", "ETag": "\"a\""]),
            .send(
                "HEAD", ["Cache-Control": "no-cache"], .sent,
                ["Cache-Control": "max-age=50", "Last-Modified": "{-20}", "ETag": "\"a\""]),
            .get(.sent)),
        CacheCase.both(
            "HEAD with another length makes the response to GET stale (4.3.5)",
            .get(.sent, ["Cache-Control": "max-age=100", "ETag": "\"a\""]),
            .send(
                "HEAD", ["Cache-Control": "no-cache"], .sent,
                ["Cache-Control": "max-age=50", "ETag": "\"a\"", "Content-Length": "2"]),
            .get(.sent)),
        CacheCase.both(
            "HEAD with an error changes nothing (4.3.5)",
            .get(.sent, ["Cache-Control": "max-age=100", "ETag": "\"a\""]),
            .send("HEAD", ["Cache-Control": "no-cache"], .sent, .status(500, ["ETag": "\"b\""])),
            .get(.hit)),
        CacheCase.both(
            "HEAD with no-store changes nothing that is stored (5.2.1.5)",
            .get(
                .sent, ["Cache-Control": "max-age=100", "ETag": "\"a\"", "X-A": "1"]),
            .send(
                "HEAD", ["Cache-Control": "no-store, no-cache"], .sent,
                ["Cache-Control": "max-age=100", "ETag": "\"a\"", "X-A": "2"]),
            .get(.hit(["X-A": "1"]))))

    private static let candidates = CacheCase.all(
        CacheCase.both(
            "304 with a strong tag freshens each variant that has it (4.3.4)",
            .get(
                ["X-A": "1", "X-B": "1"], .sent,
                [
                    "Cache-Control": "max-age=10", "Vary": "X-A", "ETag": "\"a\"",
                    "Date": "{0}",
                ]),
            .get(
                ["X-A": "2", "X-B": "1"], .sent,
                [
                    "Cache-Control": "max-age=10", "Vary": "X-B", "ETag": "\"a\"",
                    "Date": "{-1}",
                ]),
            .wait(20),
            .get(
                ["X-A": "1", "X-B": "1"], .validated(),
                .status(304, ["ETag": "\"a\"", "Date": "{0}", "X-C": "1"])),
            .get(["X-A": "3", "X-B": "1"], .hit("2", ["X-C": "1"]))),
        CacheCase.both(
            "304 with a weak tag freshens the most recent variant alone (4.3.4)",
            .get(
                ["X-A": "1", "X-B": "1"], .sent,
                [
                    "Cache-Control": "max-age=10", "Vary": "X-A", "ETag": "W/\"a\"",
                    "Date": "{0}",
                ]),
            .get(
                ["X-A": "2", "X-B": "1"], .sent,
                [
                    "Cache-Control": "max-age=10", "Vary": "X-B", "ETag": "W/\"a\"",
                    "Date": "{-1}",
                ]),
            .wait(20),
            .get(
                ["X-A": "1", "X-B": "1"], .validated(),
                .status(304, ["ETag": "W/\"a\"", "Date": "{0}"])),
            .get(
                ["X-A": "3", "X-B": "1"], .validated("2"),
                .status(304, ["ETag": "W/\"a\"", "Date": "{0}"]))))

    private static let limits = CacheCase.all(
        CacheCase.both(
            "a validation by a request with no-store changes nothing that is stored (5.2.1.5)",
            .get(.sent, ["Cache-Control": "max-age=10", "ETag": "\"a\"", "X-A": "1"]), .wait(10),
            .get(
                ["Cache-Control": "no-store"], .validated(["X-A": "2"]),
                .status(304, ["ETag": "\"a\"", "X-A": "2"])),
            .get(.validated(["X-A": "1"]), .status(304, ["ETag": "\"a\""]))),
        CacheCase.both(
            "304 with no-store ends the reuse without validation (5.2.2.5)",
            .get(.sent, ["Cache-Control": "max-age=10", "ETag": "\"a\""]), .wait(10),
            .get(
                .validated(),
                .status(304, ["ETag": "\"a\"", "Cache-Control": "no-store, max-age=10"])),
            .get(.sent)),
        [
            CacheCase(
                "304 with private ends the reuse without validation in a shared cache (5.2.2.7)",
                .get(.sent, ["Cache-Control": "max-age=10", "ETag": "\"a\""]), .wait(10),
                .get(
                    .validated(["X-A": "me"]),
                    .status(
                        304,
                        [
                            "ETag": "\"a\"", "Cache-Control": "private, max-age=10",
                            "X-A": "me",
                        ])),
                .get(.sent(["X-A": nil]))),
            CacheCase(
                "304 with private is kept by a private cache (5.2.2.7)", in: .private,
                .get(.sent, ["Cache-Control": "max-age=10", "ETag": "\"a\""]), .wait(10),
                .get(
                    .validated(),
                    .status(304, ["ETag": "\"a\"", "Cache-Control": "private, max-age=10"])),
                .get(.hit)),
            CacheCase(
                "what 304 says to a token is not shared without a permission (3.5)",
                .get(.sent, ["Cache-Control": "max-age=10", "ETag": "\"a\"", "X-A": "1"]),
                .wait(10),
                .get(
                    ["Authorization": "A"], .validated(["X-A": "2"]),
                    .status(304, ["ETag": "\"a\"", "X-A": "2"])),
                .get(.validated(["X-A": "1"]), .status(304, ["ETag": "\"a\""]))),
            CacheCase(
                "what 304 says to a token is shared if it is public (3.5)",
                .get(.sent, ["Cache-Control": "public, max-age=10", "ETag": "\"a\""]),
                .wait(10),
                .get(
                    ["Authorization": "A"], .validated(["X-A": "2"]),
                    .status(
                        304,
                        ["Cache-Control": "public, max-age=10", "ETag": "\"a\"", "X-A": "2"])),
                .get(["Authorization": "B"], .hit(["X-A": "2"]))),
            CacheCase(
                "by our choice, what 304 says to a token is not shared unless it says so itself (3.5)",
                .get(.sent, ["Cache-Control": "public, max-age=10", "ETag": "\"a\""]),
                .wait(10),
                .get(
                    ["Authorization": "A"], .validated(["X-A": "2"]),
                    .status(304, ["ETag": "\"a\"", "X-A": "2"])),
                .get(
                    ["Authorization": "B"], .validated(["X-A": nil]),
                    .status(304, ["ETag": "\"a\""]))),
        ])
}
