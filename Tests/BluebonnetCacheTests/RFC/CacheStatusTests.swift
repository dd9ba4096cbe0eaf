import Foundation
import FoundationNetworking
import Testing

@Suite("What Cache-Status says", .timeLimit(.minutes(1)))
struct CacheStatusTests {
    @Test(arguments: CacheCase.all(Self.hits, Self.forwards))
    func holds(_ item: CacheCase) async { await item.run() }

    private static func says(_ expected: Expected, _ status: String?) -> Expected {
        var expected = expected
        expected.fields["Cache-Status"] = status.map { "Bluebonnet; \($0)" }
        return expected
    }

    private static let tagged: Reply = ["Cache-Control": "max-age=10", "ETag": "\"a\""]

    private static let hits = CacheCase.all(
        CacheCase.both(
            "a hit has its lifetime left (9211 2.1, 2.4)", .get(.sent, tagged), .wait(3),
            .get(says(.hit, "hit; ttl=7"))),
        CacheCase.both(
            "a stale hit has a negative lifetime (9211 2.4)", .get(.sent, tagged), .wait(13),
            .get(["Cache-Control": "max-stale"], says(.hit, "hit; ttl=-3"))),
        CacheCase.both(
            "304 from the cache is a hit (9211 2.1)", .get(.sent, tagged),
            .get(["If-None-Match": "\"a\""], says(.hit("", status: 304), "hit; ttl=10"))),
        CacheCase.both(
            "a part from the cache is a hit (9211 2.1)", .get(.sent, tagged),
            .get(["Range": "bytes=0-0"], says(.hit(status: 206), "hit; ttl=10"))),
        CacheCase.both(
            "504 for only-if-cached has no status, because nothing was stored (9211 2)",
            .get(
                ["Cache-Control": "only-if-cached"],
                Expected(status: 504, body: "", fields: ["Cache-Status": nil]))),
        CacheCase.both(
            "what replaces an error says which (9211 2.3)",
            .get(.sent, .control("max-age=10, stale-if-error=60")), .wait(15),
            .get(says(.validated(), "fwd=stale; fwd-status=503; ttl=-5"), .status(503))),
        CacheCase.both(
            "what replaces a failure has no status of the server (9211 2.3)",
            .get(.sent, .control("max-age=10, stale-if-error=60")), .wait(15),
            .get(says(.validated(), "fwd=stale; ttl=-5"), .failure(.timedOut))))

    private static let forwards = CacheCase.all(
        CacheCase.both(
            "nothing stored for the URL is uri-miss (9211 2.2)",
            .get(says(.sent, "fwd=uri-miss; stored"), tagged)),
        CacheCase.both(
            "what is not stored does not say so (9211 2.5)",
            .get(says(.sent, "fwd=uri-miss"), .control("no-store"))),
        CacheCase.both(
            "no variant that matches is vary-miss (9211 2.2)",
            .get(["X-A": "1"], .sent, ["Cache-Control": "max-age=10", "Vary": "X-A"]),
            .get(["X-A": "2"], says(.sent, "fwd=vary-miss"))),
        CacheCase.both(
            "a stale response is stale (9211 2.2)", .get(.sent, tagged), .wait(10),
            .get(says(.sent, "fwd=stale; stored"), tagged)),
        CacheCase.both(
            "a validation says 304, and the new lifetime (9211 2.3)", .get(.sent, tagged),
            .wait(10),
            .get(
                says(.validated(), "fwd=stale; fwd-status=304; ttl=10"),
                .status(304, ["ETag": "\"a\""]))),
        CacheCase.both(
            "a fresh response that the request refuses is request (9211 2.2)",
            .get(.sent, tagged),
            .get(["Cache-Control": "no-cache"], says(.sent, "fwd=request"))),
        CacheCase.both(
            "a fresh response that the request finds too old is request (9211 2.2)",
            .get(.sent, tagged), .wait(5),
            .get(["Cache-Control": "max-age=4"], says(.sent, "fwd=request"))),
        CacheCase.both(
            "a stale response that the request refuses is stale (9211 2.2)",
            .get(.sent, tagged), .wait(15),
            .get(["Cache-Control": "no-cache"], says(.sent, "fwd=stale"))),
        CacheCase.both(
            "another method is method (9211 2.2)",
            .send("POST", says(.sent, "fwd=method"), .status(200))),
        CacheCase.both(
            "what the cache does not handle is bypass (9211 2.2)",
            .get(["If-Match": "\"a\""], says(.sent, "fwd=bypass"))),
        CacheCase.both(
            "a reload is request (9211 2.2)", .get(.sent, tagged),
            .get(says(.sent, "fwd=request")).under(.reloadIgnoringLocalCacheData)),
        [
            CacheCase(
                "the statuses of other caches stay before ours (9211 2)",
                .get(.sent, ["Cache-Control": "max-age=10", "Cache-Status": "Other; hit"]),
                .get(.hit(["Cache-Status": "Other; hit, Bluebonnet; hit; ttl=10"]))),
            CacheCase(
                "a body that is too large to be stored does not say that it is (9211 2.5)",
                .get(
                    says(.sent, "fwd=uri-miss"),
                    .body(
                        String(repeating: "a", count: 1_001),
                        ["Cache-Control": "max-age=10", "Content-Length": "1001"]))),
        ])
}
