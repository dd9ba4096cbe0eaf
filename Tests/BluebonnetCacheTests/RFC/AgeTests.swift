import Testing

@Suite("How old a response is", .timeLimit(.minutes(1)))
struct AgeTests {
    @Test(arguments: CacheCase.all(Self.ages, Self.invalid, Self.validations))
    func holds(_ item: CacheCase) async { await item.run() }

    /// Returns a case of a response that is used after some seconds.
    private static func aged(
        _ sentence: String, _ reply: Reply, after seconds: Double = 0, taking delay: Double = 0,
        _ age: String
    ) -> CacheCase {
        CacheCase(
            sentence, .get(.sent, reply).taking(delay), .wait(seconds), .get(.hit(["Age": age])))
    }

    private static let ages: [CacheCase] = [
        aged("a reused response has an Age (4)", .control("max-age=100"), "0"),
        aged(
            "Age counts the time in the cache (4.2.3)", .control("max-age=100"), after: 42, "42"),
        aged("Age has no fraction (5.1)", .control("max-age=100"), after: 9.9, "9"),
        aged(
            "Age counts from Date (4.2.3)", ["Cache-Control": "max-age=100", "Date": "{-30}"],
            after: 5, "35"),
        aged(
            "a Date in the future makes no negative age (4.2.3)",
            ["Cache-Control": "max-age=100", "Date": "{30}"], after: 5, "5"),
        aged(
            "an Age that was received is replaced by a larger one (4.2.3)",
            ["Cache-Control": "max-age=100", "Age": "20"], after: 5, "25"),
        aged(
            "the larger one counts, of Date's age and Age (4.2.3)",
            ["Cache-Control": "max-age=100", "Date": "{-30}", "Age": "20"], "30"),
        aged(
            "the larger one counts, of Age and Date's age (4.2.3)",
            ["Cache-Control": "max-age=100", "Date": "{-30}", "Age": "50"], "50"),
        aged(
            "the delay of the response counts (4.2.3)", .control("max-age=100"), taking: 5, "5"),
        aged(
            "the delay of the response is added to its Age (4.2.3)",
            ["Cache-Control": "max-age=100", "Age": "20"], after: 1, taking: 5, "26"),
        aged(
            "of a list of ages the first counts (5.1)",
            ["Cache-Control": "max-age=100", "Age": "20, 70"], "20"),
        aged(
            "of several lines of Age the first counts (5.1)",
            ["Cache-Control": "max-age=100", "Age": "20", "Age": "70"], "20"),
        CacheCase(
            "a response that comes from the server gets no Age of ours (5.1)",
            .get(.sent(["Age": nil]), .control("max-age=100"))),
        CacheCase(
            "a response that comes from the server keeps its Age (5.1)",
            .get(.sent(["Age": "20"]), ["Cache-Control": "max-age=100", "Age": "20"])),
        CacheCase(
            "an Age as large as the lifetime is stale at once (4.2)",
            .get(.sent, ["Cache-Control": "max-age=100", "Age": "100"]), .get(.sent)),
        CacheCase(
            "an Age beyond 2^31 is stale at once (1.2.2)",
            .get(.sent, ["Cache-Control": "max-age=100", "Age": "4294967297"]), .get(.sent)),
        CacheCase(
            "an Age beyond 2^64 is stale at once (1.2.2)",
            .get(.sent, ["Cache-Control": "max-age=100", "Age": "18446744073709551617"]),
            .get(.sent)),
        CacheCase(
            "the largest lifetime does not outlive the largest age (1.2.2)",
            .get(.sent, ["Cache-Control": "max-age=99999999999", "Age": "99999999999"]),
            .get(.sent)),
    ]

    private static let invalid = CacheCase.all(
        ["-20", "abc", "1.5", "\"20\"", "20;x", "", "0x20", "+20", "20 30"].map { text in
            aged(
                "an Age of '\(text)' is ignored (5.1)",
                ["Cache-Control": "max-age=100", "Age": text], after: 3, "3")
        })

    private static let validations: [CacheCase] = [
        CacheCase(
            "a validation without Age makes a response new, whatever Age it had (4.2.3)",
            .get(.sent, ["Cache-Control": "max-age=100", "Age": "90", "ETag": "\"a\""]), .wait(20),
            .get(.validated(["Age": "0"]), .status(304, ["ETag": "\"a\"", "Date": "{0}"])),
            .wait(99), .get(.hit(["Age": "99"])), .wait(1),
            .get(.validated(), .status(304, ["ETag": "\"a\"", "Date": "{0}"]))),
        CacheCase(
            "a validation without Date makes a response new (9110 6.6.1)",
            .get(.sent, ["Cache-Control": "max-age=100", "Date": "{0}", "ETag": "\"a\""]),
            .wait(200), .get(.validated(["Date": "{0}"]), .status(304, ["ETag": "\"a\""])),
            .wait(99), .get(.hit(["Age": "99", "Date": "{-99}"]))),
        CacheCase(
            "a validation brings its Age (4.2.3)",
            .get(.sent, ["Cache-Control": "max-age=100", "ETag": "\"a\""]), .wait(200),
            .get(.validated(["Age": "7"]), .status(304, ["ETag": "\"a\"", "Age": "7"])),
            .wait(2), .get(.hit(["Age": "9"]))),
        CacheCase(
            "the delay of a validation counts (4.2.3)",
            .get(.sent, ["Cache-Control": "max-age=100", "ETag": "\"a\""]), .wait(200),
            .get(.validated(["Age": "4"]), .status(304, ["ETag": "\"a\""])).taking(4)),
    ]
}
