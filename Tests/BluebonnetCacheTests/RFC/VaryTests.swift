import Testing

@Suite("Which response Vary selects", .timeLimit(.minutes(1)))
struct VaryTests {
    @Test(arguments: CacheCase.all(Self.matches, Self.several))
    func holds(_ item: CacheCase) async { await item.run() }

    /// Returns a case of two requests, of which the second gets the response to the first or not.
    private static func vary(
        _ sentence: String, by vary: String = "X-A", _ first: FieldLines, _ second: FieldLines,
        matches: Bool
    ) -> [CacheCase] {
        let reply: Reply = ["Cache-Control": "max-age=10", "Vary": vary]
        return CacheCase.both(
            sentence, .get(first, .sent, reply), .get(second, matches ? .hit : .sent, reply))
    }

    private static let matches = CacheCase.all(
        vary("the same value matches (4.1)", ["X-A": "1"], ["X-A": "1"], matches: true),
        vary("another value does not match (4.1)", ["X-A": "1"], ["X-A": "2"], matches: false),
        vary("absent matches absent (4.1)", [:], ["X-B": "1"], matches: true),
        vary("absent does not match present (4.1)", [:], ["X-A": "1"], matches: false),
        vary("present does not match absent (4.1)", ["X-A": "1"], [:], matches: false),
        vary("absent does not match empty (4.1)", [:], ["X-A": ""], matches: false),
        vary("empty matches empty (4.1)", ["X-A": ""], ["X-A": ""], matches: true),
        vary(
            "the case of a field's name does not matter (4.1)", by: "x-a", ["X-A": "1"],
            ["X-a": "1"], matches: true),
        vary(
            "the case of a value matters (4.1)", ["X-A": "a"], ["X-A": "A"], matches: false),
        vary(
            "the order of values matters, by our choice (4.1)", ["X-A": "a, b"],
            ["X-A": "b, a"], matches: false),
        vary(
            "white space around members does not matter (4.1)", ["X-A": "a, b"],
            ["X-A": " a,b\t"], matches: true),
        vary(
            "lines are joined (4.1)", ["X-A": "a", "X-A": "b"], ["X-A": "a, b"], matches: true),
        vary(
            "the order of lines matters (4.1)", ["X-A": "a", "X-A": "b"],
            ["X-A": "b", "X-A": "a"], matches: false),
        vary(
            "an empty member makes another value, as not every field is a list (4.1)",
            ["X-A": "a,b"], ["X-A": "a,,b"], matches: false),
        vary(
            "white space in a quoted string makes another value (4.1)", ["X-A": "\"a, b\""],
            ["X-A": "\"a,b\""], matches: false),
        vary(
            "a comma in a quoted string joins nothing (4.1)", ["X-A": "\"a,b\""],
            ["X-A": "\"a", "X-A": "b\""], matches: false),
        vary(
            "white space within a value makes another value (4.1)", ["X-A": "a b"],
            ["X-A": "a  b"], matches: false),
        vary(
            "all fields of Vary must match (4.1)", by: "X-A, X-B", ["X-A": "1", "X-B": "2"],
            ["X-A": "1", "X-B": "3"], matches: false),
        vary(
            "all fields of Vary match (4.1)", by: "X-A, X-B", ["X-A": "1", "X-B": "2"],
            ["X-B": "2", "X-A": "1"], matches: true),
        vary(
            "values do not move from one field to another (4.1)", by: "X-A, X-B",
            ["X-A": "1", "X-B": "2"], ["X-A": "2", "X-B": "1"], matches: false),
        vary(
            "other fields do not matter (4.1)", ["X-A": "1", "User-Agent": "a"],
            ["X-A": "1", "User-Agent": "b"], matches: true),
        vary(
            "an empty Vary selects nothing (4.1)", by: "", ["X-A": "1"], ["X-A": "2"], matches: true
        ),
        vary(
            "empty members of Vary are skipped (9110 5.6.1)", by: ", ,X-A,,", ["X-A": "1"],
            ["X-A": "2"], matches: false),
        vary(
            "a member * never matches (4.1)", by: "X-A, *", ["X-A": "1"], ["X-A": "1"],
            matches: false),
        vary(
            "a leading * never matches (4.1)", by: "*, X-A", ["X-A": "1"], ["X-A": "1"],
            matches: false))

    private static let several = CacheCase.all(
        CacheCase.both(
            "Vary on several lines counts together (4.1)",
            .get(
                ["X-A": "1", "X-B": "2"], .sent,
                ["Cache-Control": "max-age=10", "Vary": "X-A", "Vary": "X-B"]),
            .get(["X-A": "1", "X-B": "3"], .sent)),
        CacheCase.both(
            "a * on a line of its own never matches (4.1)",
            .get(.sent, ["Cache-Control": "max-age=10", "Vary": "X-A", "Vary": "*"]),
            .get(.sent)),
        CacheCase.both(
            "variants are kept beside each other (4.1)",
            .get(["X-A": "1"], .sent, ["Cache-Control": "max-age=10", "Vary": "X-A"]),
            .get(["X-A": "2"], .sent, ["Cache-Control": "max-age=10", "Vary": "X-A"]),
            .get(["X-A": "1"], .hit), .get(["X-A": "2"], .hit("2")), .get(["X-A": "3"], .sent)),
        CacheCase.both(
            "the most recent Date wins among variants that match (4.1)",
            .get(
                ["X-A": "1", "X-B": "1"], .sent,
                ["Cache-Control": "max-age=10", "Vary": "X-A", "Date": "{0}"]),
            .get(
                ["X-A": "2", "X-B": "1"], .sent,
                ["Cache-Control": "max-age=10", "Vary": "X-B", "Date": "{-1}"]),
            .get(["X-A": "1", "X-B": "1"], .hit)),
        CacheCase.both(
            "a response with Vary is preferred to one without (4.1)",
            .get(["X-A": "1"], .sent, ["Cache-Control": "max-age=10", "Vary": "X-A"]),
            .get(["X-A": "2"], .sent, .control("max-age=10")), .get(["X-A": "1"], .hit),
            .get(["X-A": "3"], .hit("2"))),
        CacheCase.both(
            "a validation asks about the variant that is selected (4.3.1)",
            .get(
                ["X-A": "1"], .sent,
                ["Cache-Control": "max-age=10", "Vary": "X-A", "ETag": "\"a\""]),
            .get(
                ["X-A": "2"], .sent,
                ["Cache-Control": "max-age=10", "Vary": "X-A", "ETag": "\"b\""]),
            .wait(20),
            .get(
                ["X-A": "1"], .validated(request: ["If-None-Match": "\"a\"", "X-A": "1"]),
                .status(304, ["ETag": "\"a\"", "Date": "{0}"])),
            .get(["X-A": "1"], .hit),
            .get(
                ["X-A": "2"], .validated("2", request: ["If-None-Match": "\"b\""]),
                .status(304, ["ETag": "\"b\"", "Date": "{0}"]))),
        CacheCase.both(
            "a Vary that a validation adds selects from then on (3.2)",
            .get(["X-A": "1"], .sent, ["Cache-Control": "max-age=10", "ETag": "\"a\""]),
            .wait(20),
            .get(["X-A": "1"], .validated(), .status(304, ["ETag": "\"a\"", "Vary": "X-A"])),
            .get(["X-A": "2"], .sent)),
        CacheCase.both(
            "a Vary: * that a validation adds ends the reuse (3.2)",
            .get(.sent, ["Cache-Control": "max-age=10", "ETag": "\"a\""]), .wait(20),
            .get(.validated(), .status(304, ["ETag": "\"a\"", "Vary": "*"])), .get(.sent)),
        [
            CacheCase(
                "Vary: Authorization keeps the answers to two users apart (4.1)",
                .get(
                    ["Authorization": "A"], .sent,
                    ["Cache-Control": "public, max-age=10", "Vary": "Authorization"]),
                .get(
                    ["Authorization": "B"], .sent,
                    ["Cache-Control": "public, max-age=10", "Vary": "authorization"]),
                .get(["Authorization": "A"], .hit), .get(["Authorization": "B"], .hit("2")),
                .get(.sent)),
            CacheCase(
                "Vary: Cookie keeps the answers to two users apart (4.1)",
                .get(
                    ["Cookie": "id=a,,b"], .sent,
                    ["Cache-Control": "public, max-age=10", "Vary": "Cookie"]),
                .get(["Cookie": "id=a,b"], .sent),
                .get(["Cookie": "id=a,,b"], .hit)),
            CacheCase(
                "by our choice, a Vary of thousands of fields counts as * (4.1)",
                .get(
                    .sent,
                    [
                        "Cache-Control": "max-age=10",
                        "Vary": (0..<5_000).map { "X-\($0)" }.joined(separator: ","),
                    ]),
                .get(.sent)),
            CacheCase(
                "a Vary that repeats one field thousands of times is one field (4.1)",
                .get(
                    .sent,
                    [
                        "Cache-Control": "max-age=10",
                        "Vary": Array(repeating: "X-A", count: 5_000).joined(separator: ","),
                    ]),
                .get(.hit), .get(["X-A": "1"], .sent)),
            CacheCase(
                "by our choice, at most 16 variants of a URL are kept (4.1)",
                (0..<40).map { number in
                    .get(
                        ["X-A": "\(number)"], .sent,
                        ["Cache-Control": "max-age=100", "Vary": "X-A", "Date": "{\(number)}"])
                }
                    + [.get(["X-A": "39"], .hit("40")), .get(["X-A": "0"], .sent)]),
        ])
}
