import Foundation
import FoundationNetworking
import Testing

@Suite("The cache policies of URLRequest", .timeLimit(.minutes(1)))
struct RequestPolicyTests {
    @Test(arguments: CacheCase.all(Self.reloads, Self.stored, Self.onlyStored))
    func holds(_ item: CacheCase) async { await item.run() }

    private static let tagged: Reply = ["Cache-Control": "max-age=10", "ETag": "\"a\""]
    private static let unchanged = Reply.status(304, ["ETag": "\"a\""])

    private static let reloads = CacheCase.all(
        CacheCase.both(
            "reloadIgnoringLocalCacheData does not use what is stored (cachePolicy)",
            .get(.sent, tagged),
            .get(.sent(request: ["If-None-Match": nil]), tagged)
                .under(.reloadIgnoringLocalCacheData), .get(.hit("2"))),
        CacheCase.both(
            "reloadIgnoringLocalAndRemoteCacheData tells other caches so (cachePolicy)",
            .get(.sent, tagged),
            .get(.sent(request: ["If-None-Match": nil, "Cache-Control": "no-cache"]), tagged)
                .under(.reloadIgnoringLocalAndRemoteCacheData), .get(.hit("2"))),
        CacheCase.both(
            "reloadIgnoringLocalAndRemoteCacheData keeps a Cache-Control (cachePolicy)",
            .get(["Cache-Control": "no-store"], .sent(request: ["Cache-Control": "no-store"]))
                .under(.reloadIgnoringLocalAndRemoteCacheData)),
        CacheCase.both(
            "reloadRevalidatingCacheData validates a fresh response (cachePolicy)",
            .get(.sent, tagged),
            .get(.validated(request: ["If-None-Match": "\"a\""]), unchanged)
                .under(.reloadRevalidatingCacheData)),
        CacheCase.both(
            "reloadRevalidatingCacheData tells other caches so (cachePolicy)",
            .get(.sent, tagged),
            .get(.validated(request: ["Cache-Control": "max-age=0"]), unchanged)
                .under(.reloadRevalidatingCacheData)),
        CacheCase.both(
            "returnCacheDataElseLoad validates if the request has no-cache (cachePolicy)",
            .get(.sent, tagged),
            .get(["Cache-Control": "no-cache"], .validated(), unchanged)
                .under(.returnCacheDataElseLoad)),
        CacheCase.both(
            "a response that the server has replaced is not used, though the new one is not stored (4.3.3)",
            .get(.sent, tagged), .wait(20),
            .get(.sent, ["Cache-Control": "no-store"]),
            .get(["Cache-Control": "max-stale"], .sent, ["Cache-Control": "no-store"])),
        CacheCase.both(
            "reloadRevalidatingCacheData sends a request if nothing is stored (cachePolicy)",
            .get(.sent, tagged).under(.reloadRevalidatingCacheData), .get(.hit)),
        CacheCase.both(
            "an immutable response is not validated by a reload over https (8246 2)",
            .get(.sent, ["Cache-Control": "max-age=10, immutable", "ETag": "\"a\""])
                .at("https://a.test/"),
            .get(.hit).at("https://a.test/").under(.reloadRevalidatingCacheData)),
        CacheCase.both(
            "an immutable response is validated by a reload over http (8246 3)",
            .get(.sent, ["Cache-Control": "max-age=10, immutable", "ETag": "\"a\""]),
            .get(.validated(), unchanged).under(.reloadRevalidatingCacheData)),
        CacheCase.both(
            "an immutable response is validated once it is stale (8246 2)",
            .get(.sent, ["Cache-Control": "max-age=10, immutable", "ETag": "\"a\""])
                .at("https://a.test/"), .wait(10),
            .get(.validated(), unchanged).at("https://a.test/")
                .under(.reloadRevalidatingCacheData)),
        CacheCase.both(
            "an argument of immutable is ignored (8246 2)",
            .get(.sent, ["Cache-Control": "max-age=10, immutable=1", "ETag": "\"a\""])
                .at("https://a.test/"),
            .get(.hit).at("https://a.test/").under(.reloadRevalidatingCacheData)),
        CacheCase.both(
            "an immutable response is validated if the request has no-cache (8246 2)",
            .get(.sent, ["Cache-Control": "max-age=10, immutable", "ETag": "\"a\""])
                .at("https://a.test/"),
            .get(["Cache-Control": "no-cache"], .validated(), unchanged).at("https://a.test/")
                .under(.reloadRevalidatingCacheData)),
        CacheCase.both(
            "an immutable response with no-cache is validated (5.2.2.4)",
            .get(.sent, ["Cache-Control": "no-cache, max-age=10, immutable", "ETag": "\"a\""])
                .at("https://a.test/"),
            .get(.validated(), unchanged).at("https://a.test/")
                .under(.reloadRevalidatingCacheData)),
        CacheCase.both(
            "immutable in a request means nothing (8246 2)", .get(.sent, tagged), .wait(10),
            .get(["Cache-Control": "immutable"], .validated(), unchanged)))

    /// Returns cases of a stale response that is used under a policy which ignores age, or not.
    private static func ignoringAge(
        _ sentence: String, _ control: String, after seconds: Double = 20,
        in kinds: [CacheCase.Kind] = CacheCase.Kind.allCases, isUsed: Bool
    ) -> [CacheCase] {
        kinds.flatMap { kind in
            let store: [CacheStep] = [.get(.sent, .control(control)), .wait(seconds)]
            return [
                CacheCase(
                    "under returnCacheDataElseLoad, \(sentence)", in: kind,
                    store + [.get(isUsed ? .hit : .sent).under(.returnCacheDataElseLoad)]),
                CacheCase(
                    "under returnCacheDataDontLoad, \(sentence)", in: kind,
                    store + [
                        .get(isUsed ? .hit : .fails(.resourceUnavailable, count: 0))
                            .under(.returnCacheDataDontLoad)
                    ]),
            ]
        }
    }

    private static let stored = CacheCase.all(
        ignoringAge("a fresh response is used", "max-age=10", after: 1, isUsed: true),
        ignoringAge("a stale response is used", "max-age=10", isUsed: true),
        ignoringAge(
            "must-revalidate wins (4.2.4)", "max-age=10, must-revalidate", isUsed: false),
        ignoringAge(
            "must-revalidate does not matter while fresh (5.2.2.2)",
            "max-age=10, must-revalidate", after: 1, isUsed: true),
        ignoringAge("no-cache wins (5.2.2.4)", "max-age=10, no-cache", after: 1, isUsed: false),
        ignoringAge(
            "proxy-revalidate wins in a shared cache (5.2.2.8)", "max-age=10, proxy-revalidate",
            in: [.shared], isUsed: false),
        ignoringAge(
            "proxy-revalidate means nothing in a private cache (5.2.2.8)",
            "max-age=10, proxy-revalidate", in: [.private], isUsed: true),
        ignoringAge(
            "s-maxage wins in a shared cache (5.2.2.10)", "s-maxage=10", in: [.shared],
            isUsed: false),
        ignoringAge(
            "s-maxage means nothing in a private cache (5.2.2.10)", "max-age=10, s-maxage=10",
            in: [.private], isUsed: true),
        CacheCase.both(
            "returnCacheDataElseLoad does not validate in the background (cachePolicy)",
            .get(.sent, .control("max-age=10, stale-while-revalidate=60")), .wait(15),
            .get(.hit).under(.returnCacheDataElseLoad)))

    private static let onlyStored = CacheCase.all(
        CacheCase.both(
            "returnCacheDataDontLoad fails if nothing is stored (cachePolicy)",
            .get(.fails(.resourceUnavailable, count: 0)).under(.returnCacheDataDontLoad)),
        CacheCase.both(
            "returnCacheDataDontLoad fails if no variant matches (4.1)",
            .get(["X-A": "1"], .sent, ["Cache-Control": "max-age=10", "Vary": "X-A"]),
            .get(["X-A": "2"], .fails(.resourceUnavailable, count: 0))
                .under(.returnCacheDataDontLoad)),
        CacheCase.both(
            "only-if-cached is answered with 504 under returnCacheDataDontLoad (5.2.1.7)",
            .get(["Cache-Control": "only-if-cached"], Expected(status: 504, body: ""))
                .under(.returnCacheDataDontLoad)),
        ["POST", "PUT", "OPTIONS"].flatMap { method in
            CacheCase.both(
                "returnCacheDataDontLoad does not send \(method) (cachePolicy)",
                .send(method, .fails(.resourceUnavailable, count: 0))
                    .under(.returnCacheDataDontLoad))
        },
        CacheCase.both(
            "returnCacheDataDontLoad does not send a request with If-Match (cachePolicy)",
            .get(["If-Match": "\"a\""], .fails(.resourceUnavailable, count: 0))
                .under(.returnCacheDataDontLoad)),
        CacheCase.both(
            "an unsafe request is sent under each other policy (4)",
            .send("POST", .sent).under(.returnCacheDataElseLoad),
            .send("POST", .sent).under(.reloadIgnoringLocalCacheData),
            .send("POST", .sent).under(.reloadRevalidatingCacheData)))
}
