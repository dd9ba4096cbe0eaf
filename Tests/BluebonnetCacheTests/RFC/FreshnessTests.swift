import Testing

@Suite("How long a response is fresh", .timeLimit(.minutes(1)))
struct FreshnessTests {
    @Test(arguments: CacheCase.all(Self.lifetimes, Self.large, Self.none, Self.guesses))
    func holds(_ item: CacheCase) async { await item.run() }

    /// Returns cases of a response that is fresh for some seconds and stale afterwards.
    private static func fresh(
        _ sentence: String, _ reply: Reply, for seconds: Double,
        in kinds: [CacheCase.Kind] = CacheCase.Kind.allCases
    ) -> [CacheCase] {
        kinds.map { kind in
            CacheCase(
                sentence, in: kind, .get(.sent, reply), .wait(seconds - 0.01), .get(.hit),
                .wait(0.01), .get(.sent))
        }
    }

    private static let lifetimes = CacheCase.all(
        fresh(
            "a response is stale as soon as its age equals its lifetime (4.2)",
            .control("max-age=10"), for: 10),
        fresh(
            "s-maxage beats max-age in a shared cache (5.2.2.10)",
            .control("max-age=10, s-maxage=20"), for: 20, in: [.shared]),
        fresh(
            "s-maxage means nothing to a private cache (5.2.2.10)",
            .control("max-age=10, s-maxage=20"), for: 10, in: [.private]),
        fresh(
            "a smaller s-maxage beats max-age in a shared cache (5.2.2.10)",
            .control("s-maxage=5, max-age=10"), for: 5, in: [.shared]),
        fresh(
            "s-maxage beats Expires in a shared cache (4.2.1)",
            ["Cache-Control": "s-maxage=5", "Expires": "{60}"], for: 5, in: [.shared]),
        fresh(
            "Expires counts in a private cache beside s-maxage (4.2.1)",
            ["Cache-Control": "s-maxage=5", "Expires": "{60}"], for: 60, in: [.private]),
        fresh(
            "Expires counts from Date (4.2.1)", ["Date": "{0}", "Expires": "{10}"], for: 10),
        fresh(
            "Expires counts from the arrival without Date (4.2.1)", ["Expires": "{10}"], for: 10),
        fresh(
            "Expires counts from the arrival with an invalid Date (9110 6.6.1)",
            ["Date": "yesterday", "Expires": "{10}"], for: 10),
        fresh(
            "a Date in the past makes the response older (4.2.3)",
            ["Date": "{-5}", "Expires": "{10}"], for: 10),
        fresh(
            "a server whose clock is ahead gives no longer lifetime (4.2.1)",
            ["Date": "{100}", "Expires": "{110}"], for: 10),
        fresh(
            "max-age beats a later Expires (5.3)",
            ["Cache-Control": "max-age=10", "Expires": "{60}"], for: 10),
        fresh(
            "max-age beats an earlier Expires (5.3)",
            ["Cache-Control": "max-age=10", "Expires": "{-60}"], for: 10),
        fresh(
            "max-age beats an invalid Expires (5.3)",
            ["Cache-Control": "max-age=10", "Expires": "0"], for: 10),
        fresh(
            "a max-age that is repeated counts once (4.2.1)", .control("max-age=10, max-age=10"),
            for: 10),
        fresh(
            "an Expires that is repeated counts once (4.2.1)",
            ["Expires": "{10}", "Expires": "{10}"], for: 10),
        fresh(
            "Age shortens the lifetime (4.2.3)", ["Cache-Control": "max-age=10", "Age": "4"],
            for: 6),
        fresh(
            "directives on several lines count together (5.2)",
            ["Cache-Control": "public", "Cache-Control": "max-age=10"], for: 10),
        fresh(
            "immutable makes no response fresh for longer (8246 2)",
            .control("max-age=10, immutable"), for: 10),
        fresh(
            "must-revalidate and proxy-revalidate do not matter while fresh (5.2.2.2)",
            .control("max-age=10, must-revalidate, proxy-revalidate"), for: 10),
    )

    private static let large = CacheCase.all(
        ["2147483647", "2147483648", "4294967296", "99999999999999999999999999"].flatMap { number in
            CacheCase.both(
                "a lifetime of \(number) seconds does not overflow (1.2.2)",
                .get(.sent, .control("max-age=\(number)")), .wait(1_000_000_000), .get(.hit))
        },
        CacheCase.both(
            "an Expires in the year 9999 does not overflow (5.3)",
            .get(.sent, ["Expires": "Fri, 31 Dec 9999 23:59:59 GMT"]), .wait(1_000_000_000),
            .get(.hit)),
        CacheCase.both(
            "a Date in the year 1 and an Expires in 9999 are stale (4.2.3)",
            .get(
                .sent,
                [
                    "Date": "Mon, 01 Jan 0001 00:00:00 GMT",
                    "Expires": "Fri, 31 Dec 9999 23:59:59 GMT",
                ]), .get(.sent)))

    private static let none = CacheCase.all(
        [
            "max-age=0", "max-age", "max-age=", "max-age=\"\"", "max-age=-1", "max-age=+10",
            "max-age=1.5", "max-age=1e3", "max-age=0x10", "max-age=ten", "max-age='10'",
            "max-age=10s", "max-age=10 20", "max-age=10;", "max-age=\u{0661}\u{0660}",
            "max-age=10, max-age=20", "max-age=10, max-age=x", "max-age=\"10",
            "max-age=\"10\"0", "max_age=10", "maxage=10", "x-max-age=10", "max-age:10",
        ].map { directives in
            CacheCase(
                "\(directives) makes no response fresh (4.2.1)",
                .get(.sent, .control(directives)), .get(.sent))
        },
        [
            ["Cache-Control": "max-age=x", "Expires": "{60}"],
            ["Cache-Control": "s-maxage=x", "Expires": "{60}"],
            ["Cache-Control": "s-maxage=x, max-age=60"],
            ["Cache-Control": "max-age=60", "Cache-Control": "max-age=0"],
        ].map { (reply: Reply) in
            CacheCase(
                "by our choice, \(reply.values) is stale at once (4.2.1)",
                .get(.sent, reply), .get(.sent))
        },
        CacheCase.both(
            "Expires at Date is stale at once (5.3)",
            .get(.sent, ["Date": "{0}", "Expires": "{0}"]), .get(.sent)),
        CacheCase.both(
            "Expires before Date is stale at once (5.3)",
            .get(.sent, ["Date": "{10}", "Expires": "{5}"]), .get(.sent)),
        CacheCase.both(
            "by our choice, two different Expires are stale at once (4.2.1)",
            .get(.sent, ["Expires": "{10}", "Expires": "{20}"]), .get(.sent)))

    private static let guesses: [CacheCase] = [
        CacheCase(
            "by our choice, no lifetime is guessed by default (4.2.2)",
            .get(.sent, ["Last-Modified": "{-100000}"]), .get(.sent)),
        CacheCase(
            "a guess is a part of the time since Last-Modified (4.2.2)",
            .get(.sent, ["Last-Modified": "{-100}"]), .wait(9.9), .get(.hit), .wait(0.1),
            .get(.sent)
        ).guessing(),
        CacheCase(
            "a guess is at most a day (4.2.2)",
            .get(.sent, ["Last-Modified": "{-100000000}"]), .wait(86_399), .get(.hit), .wait(1),
            .get(.sent)
        ).guessing(),
        CacheCase(
            "a Last-Modified in the future gives no lifetime (4.2.2)",
            .get(.sent, ["Last-Modified": "{100}"]), .get(.sent)
        ).guessing(),
        CacheCase(
            "without Last-Modified there is no guess (4.2.2)", .get(.sent), .get(.sent)
        ).guessing(),
        CacheCase(
            "there is no guess beside max-age (4.2.2)",
            .get(.sent, ["Last-Modified": "{-1000}", "Cache-Control": "max-age=0"]), .get(.sent)
        ).guessing(),
        CacheCase(
            "there is no guess beside an invalid max-age (4.2.2)",
            .get(.sent, ["Last-Modified": "{-1000}", "Cache-Control": "max-age=x"]), .get(.sent)
        ).guessing(),
        CacheCase(
            "there is no guess beside an invalid Expires (4.2.2)",
            .get(.sent, ["Last-Modified": "{-1000}", "Expires": "0"]), .get(.sent)
        ).guessing(),
        CacheCase(
            "a query does not hinder a guess (4.2.2)",
            .get(.sent, ["Last-Modified": "{-1000}"]).at("http://a.test/?a=b"),
            .get(.hit).at("http://a.test/?a=b")
        ).guessing(),
        CacheCase(
            "a guess does not override no-cache (5.2.2.4)",
            .get(.sent, ["Last-Modified": "{-1000}", "Cache-Control": "no-cache"]), .get(.sent)
        ).guessing(),
    ]
}
