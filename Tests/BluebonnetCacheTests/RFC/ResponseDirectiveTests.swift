import Foundation
import FoundationNetworking
import Testing

@Suite("What a response asks of a cache", .timeLimit(.minutes(1)))
struct ResponseDirectiveTests {
    @Test(arguments: CacheCase.all(Self.directives, Self.parsing, Self.users))
    func holds(_ item: CacheCase) async { await item.run() }

    private static let directives = CacheCase.all(
        CacheCase.both(
            "no-cache validates before each use (5.2.2.4)",
            .get(.sent, ["Cache-Control": "no-cache, max-age=100", "ETag": "\"a\""]),
            .get(.validated(), .status(304, ["ETag": "\"a\""])),
            .get(.validated(), .status(304, ["ETag": "\"a\""]))),
        CacheCase.both(
            "no-cache without a validator is fetched each time (5.2.2.4)",
            .get(.sent, .control("no-cache, max-age=100")), .get(.sent)),
        CacheCase.both(
            "no-cache with and without fields holds for the whole (5.2.2.4)",
            .get(.sent, .control("no-cache=X, max-age=100, no-cache")), .get(.sent)),
        CacheCase.both(
            "an empty list of no-cache holds for the whole (5.2.2.4)",
            .get(.sent, .control("no-cache=\" , \", max-age=100")), .get(.sent)),
        CacheCase.both(
            "a list of no-cache without its end holds for the whole, by our choice (5.2.2.4)",
            .get(.sent, .control("max-age=100, no-cache=\"X")), .get(.sent)),
        CacheCase.both(
            "lists of no-cache on several lines count together (5.2.2.4)",
            .get(
                .sent,
                [
                    "Cache-Control": "no-cache=X-A", "Cache-Control": "no-cache=X-B, max-age=9",
                    "X-A": "1", "X-B": "1", "X-C": "1",
                ]),
            .get(.hit(["X-A": nil, "X-B": nil, "X-C": "1"]))),
        CacheCase.both(
            "must-revalidate passes the failure on rather than a stale response (5.2.2.2)",
            .get(.sent, .control("max-age=10, must-revalidate, stale-if-error=1000")), .wait(10),
            .get(.fails(.timedOut), .failure(.timedOut))),
        CacheCase.both(
            "must-revalidate passes the error on rather than a stale response (5.2.2.2)",
            .get(.sent, .control("max-age=10, must-revalidate, stale-if-error=1000")), .wait(10),
            .get(.sent, .status(503))),
        CacheCase.both(
            "must-revalidate uses a fresh response (5.2.2.2)",
            .get(.sent, .control("max-age=10, must-revalidate")), .wait(9), .get(.hit)),
        CacheCase.both(
            "no-transform changes nothing for a cache (5.2.2.6)",
            .get(.sent, .control("max-age=10, no-transform")), .get(.hit)),
        CacheCase.both(
            "directives of requests mean nothing in a response (5.2.1)",
            .get(.sent, .control("max-age=10, min-fresh=100, only-if-cached, max-stale")),
            .get(.hit), .wait(10), .get(.sent)))

    /// Returns a case of directives that leave a response reusable or not.
    private static func parsed(_ directives: String, isHit: Bool) -> CacheCase {
        CacheCase(
            "\(directives.prefix(60)) makes \(isHit ? "a" : "no") reusable response (5.2)",
            .get(.sent, .control(directives)), .get(isHit ? .hit : .sent))
    }

    private static let parsing: [CacheCase] = [
        parsed("max-age=10", isHit: true),
        parsed("MAX-AGE=10", isHit: true),
        parsed("max-age=\"10\"", isHit: true),
        parsed("max-age=\"\\10\"", isHit: true),
        parsed("max-age=0000000000000000000000010", isHit: true),
        parsed(" ,\t, max-age=10 ,,", isHit: true),
        parsed("max-age=10, foo=\"bar, no-store\"", isHit: true),
        parsed("max-age=10, foo=\"a\\\", no-store\"", isHit: true),
        parsed("max-age=10, no-storex, xno-store, no_store, no-store-x", isHit: true),
        parsed("max-age=10, foo=no-store", isHit: true),
        parsed("foo=\"max-age=10\"", isHit: false),
        parsed("foo=\"a, max-age=10\"", isHit: false),
        parsed("max-age=10, foo=\"bar, no-store", isHit: false),
        parsed("foo=\"\\\", no-store, max-age=10", isHit: false),
        parsed("max-age=10, No-Store", isHit: false),
        parsed("max-age=10,no-store", isHit: false),
        parsed("max-age=10\t,\tno-store\t", isHit: false),
        parsed("max-age=10, private", isHit: false),
        parsed("max-age=10, PRIVATE", isHit: false),
        parsed("max-age=10, private=", isHit: false),
        parsed("max-age=10, private=\"X", isHit: false),
        parsed("max-age=10, no-cache", isHit: false),
        parsed("max-age=10, no-cache=\"\"", isHit: false),
        parsed(
            (0..<500).map { "x\($0)=\"a,b\"" }.joined(separator: ",") + ",max-age=10", isHit: true),
        parsed(
            "max-age=10," + (0..<500).map { "x\($0)=1" }.joined(separator: ",") + ",no-store",
            isHit: false),
        parsed("\"max-age=10\"", isHit: false),
        parsed("=, =5, max-age=10, \"\", \"", isHit: true),
    ]

    /// Returns cases of two users, of whom the second gets the response to the first or not.
    private static func users(
        _ sentence: String, _ directives: String, isShared: Bool, status: Int = 200
    ) -> [CacheCase] {
        ["Authorization", "Cookie"].flatMap { field in
            let sentence = field == "Cookie" ? "by our choice for Cookie, \(sentence)" : sentence
            let reply = Reply.status(status, ["Cache-Control": directives])
            return [
                CacheCase(
                    sentence, .get([field: "A"], .sent, reply),
                    .get([field: "B"], isShared ? .hit(status: status) : .sent, reply)),
                CacheCase(
                    "\(sentence), and for those without", .get([field: "A"], .sent, reply),
                    .get(isShared ? .hit(status: status) : .sent, reply)),
            ]
        }
    }

    private static let users = CacheCase.all(
        users("max-age alone is for one user (3.5)", "max-age=10", isShared: false),
        users("public is for all users (3.5)", "max-age=10, public", isShared: true),
        users("s-maxage is for all users (3.5)", "s-maxage=10", isShared: true),
        users(
            "must-revalidate is for all users (3.5)", "max-age=10, must-revalidate", isShared: true),
        users(
            "proxy-revalidate permits nothing (3.5)", "max-age=10, proxy-revalidate",
            isShared: false),
        users("immutable permits nothing (3.5)", "max-age=10, immutable", isShared: false),
        users("private is for one user (3.5)", "max-age=10, private, public", isShared: false),
        users("no-store is for one user (3.5)", "public, no-store, s-maxage=10", isShared: false),
        users("no-cache needs a validation (3.5)", "public, no-cache, max-age=10", isShared: false),
        users("an error is for one user (3.5)", "max-age=10", isShared: false, status: 404),
        users(
            "a public error is for all users (3.5)", "max-age=10, public", isShared: true,
            status: 404),
        ["max-age=10", "max-age=10, public", "max-age=10, private", "max-age=10, must-revalidate"]
            .map { directives in
                CacheCase(
                    "\(directives) stays in the partition of its user (3.5)", in: .private,
                    .get(["Authorization": "A"], .sent, .control(directives)),
                    .get(["Authorization": "B"], .sent, .control(directives)),
                    .get(["Authorization": "A"], .hit), .get(["Authorization": "B"], .hit("2")),
                    .get(.sent))
            },
        [
            CacheCase(
                "a stale response for one user does not replace an error of another (3.5)",
                .get(
                    ["Authorization": "A"], .sent, .control("max-age=1, stale-if-error=100")),
                .wait(5), .get(["Authorization": "B"], .sent, .status(503))),
            CacheCase(
                "by our choice, a token gets what was stored for those without (3.5)",
                .get(.sent, .control("max-age=10")), .get(["Authorization": "A"], .hit)),
            CacheCase(
                "what a token brings does not replace what those without get (3.5)",
                .get(.sent, .control("max-age=10")),
                .get(
                    ["Authorization": "A", "Cache-Control": "no-cache"], .sent,
                    .control("max-age=10")),
                .get(.hit)),
            CacheCase(
                "max-stale gives no user the response of another (3.5)",
                .get(["Authorization": "A"], .sent, .control("max-age=10")),
                .get(["Authorization": "B", "Cache-Control": "max-stale"], .sent)),
            CacheCase(
                "only-if-cached gives no user the response of another (3.5)",
                .get(["Authorization": "A"], .sent, .control("max-age=10")),
                .get(
                    ["Authorization": "B", "Cache-Control": "only-if-cached"],
                    Expected(status: 504, body: ""))),
            CacheCase(
                "a range is not taken from the response of another (3.5)",
                .get(["Authorization": "A"], .sent, .control("max-age=10")),
                .get(["Authorization": "B", "Range": "bytes=0-0"], .sent)),
            CacheCase(
                "HEAD is not answered with the response of another (3.5)",
                .get(["Authorization": "A"], .sent, .control("max-age=10")),
                .send("HEAD", ["Authorization": "B"], .sent)),
            CacheCase(
                "returnCacheDataElseLoad gives no user the response of another (3.5)",
                .get(["Authorization": "A"], .sent, .control("max-age=10")),
                .get(["Authorization": "B"], .sent).under(.returnCacheDataElseLoad)),
            CacheCase(
                "the tag of one user's response is not sent for another (3.5)",
                .get(
                    ["Authorization": "A"], .sent,
                    ["Cache-Control": "max-age=10", "ETag": "\"a\""]),
                .get(["Authorization": "B"], .sent(request: ["If-None-Match": nil]))),
        ])
}
