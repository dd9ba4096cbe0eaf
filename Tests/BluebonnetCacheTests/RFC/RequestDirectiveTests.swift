import Testing

@Suite("What a request asks of a cache", .timeLimit(.minutes(1)))
struct RequestDirectiveTests {
    @Test(arguments: CacheCase.all(Self.ages, Self.staleness, Self.others))
    func holds(_ item: CacheCase) async { await item.run() }

    /// Returns cases of a response with a lifetime of 100 seconds, which a request with directives gets
    /// after some seconds or not.
    private static func asked(
        _ sentence: String, _ directives: String, after seconds: Double, isHit: Bool,
        _ response: String = "max-age=100"
    ) -> [CacheCase] {
        CacheCase.both(
            sentence, .get(.sent, .control(response)), .wait(seconds),
            .get(["Cache-Control": directives], isHit ? .hit : .sent))
    }

    private static let ages = CacheCase.all(
        asked("max-age accepts its age (5.2.1.1)", "max-age=10", after: 10, isHit: true),
        asked("max-age refuses a greater age (5.2.1.1)", "max-age=10", after: 11, isHit: false),
        asked(
            "max-age does not accept a stale response (5.2.1.1)", "max-age=1000", after: 100,
            isHit: false),
        asked("max-age=0 refuses any age (5.2.1.1)", "max-age=0", after: 0.01, isHit: false),
        asked("an invalid max-age accepts no age (4.2.1)", "max-age=x", after: 1, isHit: false),
        asked(
            "max-age beyond 2^31 accepts any age (1.2.2)", "max-age=9999999999999999999",
            after: 99, isHit: true),
        asked(
            "max-age and max-stale accept a stale response (5.2.1.1)", "max-age=1000, max-stale=5",
            after: 104, isHit: true),
        asked(
            "max-stale does not override max-age (5.2.1.1)", "max-age=50, max-stale=5", after: 60,
            isHit: false),
        asked(
            "min-fresh accepts what is fresh as long (5.2.1.3)", "min-fresh=10", after: 90,
            isHit: true),
        asked(
            "min-fresh refuses what is stale earlier (5.2.1.3)", "min-fresh=10", after: 90.5,
            isHit: false),
        asked(
            "min-fresh beyond 2^31 refuses everything (1.2.2)", "min-fresh=99999999999999999999",
            after: 0, isHit: false),
        asked(
            "an invalid min-fresh refuses everything, by our choice (5.2.1.3)", "min-fresh=-1",
            after: 0, isHit: false))

    private static let staleness = CacheCase.all(
        asked("max-stale accepts its staleness (5.2.1.2)", "max-stale=10", after: 110, isHit: true),
        asked(
            "max-stale refuses a greater staleness (5.2.1.2)", "max-stale=10", after: 110.5,
            isHit: false),
        asked(
            "max-stale without a number accepts any staleness (5.2.1.2)", "max-stale",
            after: 1_000_000_000, isHit: true),
        asked(
            "max-stale beyond 2^31 accepts any staleness (1.2.2)", "max-stale=99999999999999999",
            after: 1_000_000_000, isHit: true),
        asked(
            "an invalid max-stale accepts nothing (5.2.1.2)", "max-stale=x", after: 101,
            isHit: false),
        asked(
            "an empty max-stale accepts nothing, by our choice (5.2.1.2)", "max-stale=\"",
            after: 101, isHit: false),
        asked(
            "must-revalidate wins over max-stale (4.2.4)", "max-stale", after: 101, isHit: false,
            "max-age=100, must-revalidate"),
        asked(
            "no-cache of the response wins over max-stale (4.2.4)", "max-stale", after: 1,
            isHit: false, "max-age=100, no-cache"),
        CacheCase.both(
            "max-stale without a number accepts an age beyond 2^31 (5.2.1.2)",
            .get(
                .sent,
                ["Cache-Control": "max-age=0", "Age": "99999999999999999", "ETag": "\"a\""]),
            .wait(10), .get(["Cache-Control": "max-stale"], .hit)),
        [
            CacheCase(
                "proxy-revalidate wins over max-stale in a shared cache (5.2.2.8)",
                .get(.sent, .control("max-age=10, proxy-revalidate")), .wait(11),
                .get(["Cache-Control": "max-stale"], .sent)),
            CacheCase(
                "proxy-revalidate means nothing to a private cache (5.2.2.8)", in: .private,
                .get(.sent, .control("max-age=10, proxy-revalidate")), .wait(11),
                .get(["Cache-Control": "max-stale"], .hit)),
            CacheCase(
                "s-maxage wins over max-stale in a shared cache (5.2.2.10)",
                .get(.sent, .control("s-maxage=10")), .wait(11),
                .get(["Cache-Control": "max-stale"], .sent)),
            CacheCase(
                "s-maxage does not hinder max-stale in a private cache (5.2.2.10)", in: .private,
                .get(.sent, .control("max-age=10, s-maxage=10")), .wait(11),
                .get(["Cache-Control": "max-stale"], .hit)),
        ])

    private static let others = CacheCase.all(
        asked("no-cache validates a fresh response (5.2.1.4)", "no-cache", after: 1, isHit: false),
        asked("NO-CACHE has any case (5.2)", "NO-CACHE", after: 1, isHit: false),
        asked(
            "an argument of no-cache is ignored in a request (5.2)", "no-cache=\"X\"", after: 1,
            isHit: false),
        asked(
            "unknown directives are ignored (5.2.3)", "foo, no-cache-x, x=\"no-cache\"", after: 1,
            isHit: true),
        asked(
            "no-store does not hinder the use of what is stored (5.2.1.5)", "no-store", after: 1,
            isHit: true),
        asked("no-transform changes nothing (5.2.1.6)", "no-transform", after: 1, isHit: true),
        asked(
            "directives of responses mean nothing in a request (5.2.2)",
            "must-revalidate, private, s-maxage=0, immutable", after: 1, isHit: true),
        asked(
            "only-if-cached uses what is stored (5.2.1.7)", "only-if-cached", after: 1, isHit: true),
        CacheCase.both(
            "no-cache is sent to the server with the validators (5.2.1.4)",
            .get(.sent, ["Cache-Control": "max-age=100", "ETag": "\"a\""]),
            .get(
                ["Cache-Control": "no-cache"],
                .validated(request: ["If-None-Match": "\"a\"", "Cache-Control": "no-cache"]),
                .status(304, ["ETag": "\"a\""]))),
        CacheCase.both(
            "only-if-cached without a response is 504 (5.2.1.7)",
            .get(["Cache-Control": "only-if-cached"], Expected(status: 504, body: ""))),
        CacheCase.both(
            "only-if-cached with a stale response is 504 (5.2.1.7)",
            .get(.sent, ["Cache-Control": "max-age=10", "ETag": "\"a\""]), .wait(10),
            .get(["Cache-Control": "only-if-cached"], Expected(status: 504, body: ""))),
        CacheCase.both(
            "only-if-cached with max-stale uses a stale response (5.2.1.7)",
            .get(.sent, ["Cache-Control": "max-age=10", "ETag": "\"a\""]), .wait(15),
            .get(["Cache-Control": "only-if-cached, max-stale=5"], .hit)),
        CacheCase.both(
            "only-if-cached with another variant is 504 (5.2.1.7)",
            .get(["X-A": "1"], .sent, ["Cache-Control": "max-age=10", "Vary": "X-A"]),
            .get(
                ["X-A": "2", "Cache-Control": "only-if-cached"], Expected(status: 504, body: ""))),
        CacheCase.both(
            "only-if-cached does not send a background validation (5.2.1.7)",
            .get(
                .sent,
                ["Cache-Control": "max-age=10, stale-while-revalidate=60", "ETag": "\"a\""]),
            .wait(15), .get(["Cache-Control": "only-if-cached"], .hit)),
        CacheCase.both(
            "only-if-cached has no other method sent either (5.2.1.7)",
            .send("POST", ["Cache-Control": "only-if-cached"], Expected(status: 504, body: ""))),
        CacheCase.both(
            "only-if-cached has no request with If-Match sent either (5.2.1.7)",
            .get(
                ["Cache-Control": "only-if-cached", "If-Match": "\"a\""],
                Expected(status: 504, body: ""))),
        CacheCase.both(
            "by our choice, Pragma: no-cache counts without Cache-Control (5.4)",
            .get(.sent, .control("max-age=100")), .get(["Pragma": "no-cache"], .sent)),
        CacheCase.both(
            "Pragma means nothing beside Cache-Control (5.4)",
            .get(.sent, .control("max-age=100")),
            .get(["Pragma": "no-cache", "Cache-Control": "max-stale"], .hit)),
        CacheCase.both(
            "other values of Pragma mean nothing (5.4)",
            .get(.sent, .control("max-age=100")), .get(["Pragma": "no-store"], .hit)),
        CacheCase.both(
            "a request with no-store does not replace what is stored (5.2.1.5)",
            .get(.sent, .control("max-age=100")),
            .get(["Cache-Control": "no-store, no-cache"], .sent, .control("max-age=100")),
            .get(.hit)),
        ["If-Match", "If-Unmodified-Since"].flatMap { name in
            CacheCase.both(
                "\(name) is for the server, and passed on (9110 13.2.2)",
                .get(.sent, .control("max-age=100")),
                .get([name: "\"a\""], .sent(request: [name: "\"a\""]), .status(412)), .get(.hit))
        })
}
