import Foundation
import Testing

@Suite("When a stale response is used", .timeLimit(.minutes(1)))
struct StaleContentTests {
    @Test(arguments: CacheCase.all(Self.whileValidating, Self.errors, Self.forbidden))
    func holds(_ item: CacheCase) async { await item.run() }

    private static let tagged: Reply = [
        "Cache-Control": "max-age=10, stale-while-revalidate=30", "ETag": "\"a\"",
    ]

    private static let whileValidating = CacheCase.all(
        CacheCase.both(
            "stale-while-revalidate uses a stale response, and validates (5861 3)",
            .get(.sent, tagged), .wait(15),
            .get(.refreshed("1", ["Age": "15"]), .status(304, ["ETag": "\"a\""])),
            .get(.hit(["Age": "0"]))),
        CacheCase.both(
            "stale-while-revalidate stores what the validation brings (5861 3)",
            .get(.sent, tagged), .wait(15), .get(.refreshed(), tagged),
            .get(.hit("2"))),
        CacheCase.both(
            "stale-while-revalidate lasts as many seconds after the lifetime (5861 3)",
            .get(.sent, tagged), .wait(40),
            .get(.refreshed(), .failure(.timedOut)), .wait(0.5),
            .get(.sent, tagged)),
        CacheCase.both(
            "a validation that fails in the background leaves the response (5861 3)",
            .get(.sent, tagged), .wait(15),
            .get(.refreshed(), .failure(.timedOut)),
            .get(.refreshed(), .status(500)),
            .get(.refreshed(), .status(304, ["ETag": "\"a\""])), .get(.hit)),
        CacheCase.both(
            "the range of a request is not asked of the background validation (4.3.1)",
            .get(.sent, tagged), .wait(15),
            .get(
                ["Range": "bytes=0-0"],
                .refreshed(status: 206, request: ["Range": nil]), tagged),
            .get(.hit("2"))),
        CacheCase.both(
            "an invalid stale-while-revalidate does nothing (5861 3)",
            .get(.sent, .control("max-age=10, stale-while-revalidate=x")), .wait(11),
            .get(.sent)),
        CacheCase.both(
            "max-age of a request does not accept stale-while-revalidate (5.2.1.1)",
            .get(.sent, tagged), .wait(15), .get(["Cache-Control": "max-age=100"], .sent)),
        CacheCase.both(
            "min-fresh of a request does not accept stale-while-revalidate (5.2.1.3)",
            .get(.sent, tagged), .wait(15), .get(["Cache-Control": "min-fresh=1"], .sent)),
        CacheCase.both(
            "no-cache of a request does not accept stale-while-revalidate (5.2.1.4)",
            .get(.sent, tagged), .wait(15), .get(["Cache-Control": "no-cache"], .sent)))

    private static let errors = CacheCase.all(
        [500, 502, 503, 504].flatMap { code in
            CacheCase.both(
                "stale-if-error replaces status \(code) (5861 4)",
                .get(.sent, .control("max-age=10, stale-if-error=30")), .wait(15),
                .get(.validated(["Age": "15"]), .status(code)))
        },
        [400, 403, 404, 410, 429, 501].map { code in
            CacheCase(
                "stale-if-error does not replace status \(code) (5861 4)",
                .get(.sent, .control("max-age=10, stale-if-error=30")), .wait(15),
                .get(.sent, .status(code)))
        },
        CacheCase.both(
            "stale-if-error replaces a failure of the network (5861 4)",
            .get(.sent, .control("max-age=10, stale-if-error=30")), .wait(15),
            .get(.validated(["Age": "15"]), .failure(.cannotConnectToHost))),
        CacheCase.both(
            "stale-if-error replaces a failure of names (5861 4)",
            .get(.sent, .control("max-age=10, stale-if-error=30")), .wait(15),
            .get(.validated(), .failure(.cannotFindHost))),
        CacheCase.both(
            "stale-if-error lasts as many seconds after the lifetime (5861 4)",
            .get(.sent, .control("max-age=10, stale-if-error=30")), .wait(40),
            .get(.validated(), .status(503)), .wait(0.5), .get(.sent, .status(503))),
        CacheCase.both(
            "stale-if-error of the request counts as well (5861 4)",
            .get(.sent, ["Cache-Control": "max-age=10", "ETag": "\"a\""]), .wait(15),
            .get(["Cache-Control": "stale-if-error=5"], .validated(), .status(503)),
            .get(["Cache-Control": "stale-if-error=4"], .sent, .status(503))),
        CacheCase.both(
            "an error does not replace what is stored (4.3.3)",
            .get(.sent, ["Cache-Control": "max-age=10, stale-if-error=30", "ETag": "\"a\""]),
            .wait(15), .get(.validated(), .status(503)),
            .get(.validated(), .status(304, ["ETag": "\"a\""])), .get(.hit)),
        CacheCase.both(
            "a failure is passed on if nothing is stored (5861 4)",
            .get(
                ["Cache-Control": "stale-if-error=100"], .fails(.timedOut), .failure(.timedOut))),
        CacheCase.both(
            "an invalid stale-if-error does nothing (5861 4)",
            .get(.sent, .control("max-age=10, stale-if-error=x")), .wait(11),
            .get(.sent, .status(503))),
        CacheCase.both(
            "without a word of anyone, no stale response replaces a failure (4.2.4)",
            .get(.sent, ["Cache-Control": "max-age=10", "ETag": "\"a\""]), .wait(11),
            .get(.fails(.notConnectedToInternet), .failure(.notConnectedToInternet))))

    /// Returns a case of a directive that forbids stale responses, or does not.
    private static func forbidden(
        _ directive: String, in kind: CacheCase.Kind, _ section: String, isForbidden: Bool = true
    ) -> [CacheCase] {
        let verb = isForbidden ? "defeats" : "does not defeat"
        let control = "max-age=10, \(directive)"
        return [
            CacheCase(
                "\(directive) \(verb) stale-while-revalidate (\(section))", in: kind,
                .get(.sent, .control("\(control), stale-while-revalidate=90")), .wait(15),
                .get(isForbidden ? .sent : .refreshed())),
            CacheCase(
                "\(directive) \(verb) stale-if-error (\(section))", in: kind,
                .get(.sent, .control("\(control), stale-if-error=90")), .wait(15),
                .get(isForbidden ? .sent : .validated(), .status(503))),
        ]
    }

    private static let forbidden = CacheCase.all(
        forbidden("must-revalidate", in: .shared, "5.2.2.2"),
        forbidden("must-revalidate", in: .private, "5.2.2.2"),
        forbidden("no-cache", in: .shared, "5.2.2.4"),
        forbidden("no-cache", in: .private, "5.2.2.4"),
        forbidden("proxy-revalidate", in: .shared, "5.2.2.8"),
        forbidden("proxy-revalidate", in: .private, "5.2.2.8", isForbidden: false),
        forbidden("s-maxage=10", in: .shared, "5.2.2.10"),
        forbidden("s-maxage=10", in: .private, "5.2.2.10", isForbidden: false))
}
