import Bluebonnet
import Foundation
import Testing

@Suite("What caches say of a response")
struct CacheStatusTests {
    private func statuses(_ values: String...) -> [CacheStatus] {
        let headers = HTTPHeaders(values.map { HTTPHeader(name: "cache-status", value: $0) })
        return ResponseHead(statusCode: 200, headers: headers, url: URL(fileURLWithPath: "/"))
            .cacheStatuses
    }

    @Test("the examples of RFC 9211 are read")
    func examples() {
        #expect(statuses("ExampleCache; hit").map(\.isHit) == [true])
        let hit = statuses("ExampleCache; hit; ttl=30; detail=MEMORY")[0]
        #expect(hit.timeToLive == 30 && hit.detail == "MEMORY" && hit.forwarding == nil)
        #expect(statuses("HitCache; hit; ttl=-30")[0].timeToLive == -30)
        let several = statuses(
            "OriginCache; hit; ttl=1100", "\"CDN Company Here\"; fwd=uri-miss; stored")
        #expect(several.map(\.cache) == ["OriginCache", "CDN Company Here"])
        #expect(several[1].forwarding == .uriMiss && several[1].isStored)
        let forwarded = statuses(
            "ExampleCache; fwd=stale; fwd-status=304; collapsed; stored=?0, Other;hit=?1")
        #expect(forwarded[0].forwardStatus == 304 && forwarded[0].isCollapsed)
        #expect(!forwarded[0].isStored && forwarded[1].isHit)
    }

    @Test("commas and semicolons in strings divide nothing, and wrong members are left out")
    func strings() {
        let found = statuses(#"a; key="x, y; hit\" "; hit, ;;, "open, b"#, "c; fwd=", "d; ttl=many")
        #expect(found.map(\.cache) == ["a", "d"])
        #expect(found[0].key == "x, y; hit\" " && found[0].isHit)
        #expect(found[1].timeToLive == nil)
    }

    @Test("a status is written as it is read")
    func written() {
        var status = CacheStatus(cache: "my cache \"1\" \u{E9}")
        status.forwarding = .varyMiss
        status.forwardStatus = 200
        status.timeToLive = -5
        (status.isStored, status.isCollapsed) = (true, true)
        (status.key, status.detail) = ("/a", "slow disk")
        let text = status.description
        #expect(
            text
                == #""my cache \"1\" ?"; fwd=vary-miss; fwd-status=200; ttl=-5; stored; collapsed; "#
                + #"key="/a"; detail="slow disk""#)
        status.cache = "my cache \"1\" ?"
        #expect(statuses(text) == [status])
    }
}
