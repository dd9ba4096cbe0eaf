import Bluebonnet
import BluebonnetCache
import BluebonnetSQLiteCache
import BluebonnetSQLiteCacheProgram
import BluebonnetTesting
import Foundation
import Testing

@Suite("A cache with a store on disk", .timeLimit(.minutes(1)))
struct CachingTests {
    private let fixture: StoreFixture
    private let stub = StubTransport()

    init() throws { fixture = try StoreFixture() }

    private func api(_ store: SQLiteCacheStore) -> HTTPSessionManager {
        HTTPSessionManager(
            baseURL: URL(string: "https://api.test/"),
            transport: CachingTransport(around: stub, store: store))
    }

    private func body(_ size: Int) -> Data { Sample("http://a.test/", size: size).body }

    private func get(_ api: HTTPSessionManager, _ path: String) async throws -> (Data, isHit: Bool)
    {
        let url = try #require(api.url(for: path))
        let response = await api.response(for: URLRequest(url: url), serializer: .http)
        let head = try #require(response.head)
        return (try #require(response.value), head.cacheStatuses.contains { $0.isHit })
    }

    @Test(
        "answers from the disk, also in another process's place and after another opening",
        arguments: [0, 1_000, 100_000, 3_000_000])
    func hits(size: Int) async throws {
        let body = body(size)
        stub.on(
            .get, "/a",
            StubResponse(headers: ["Cache-Control": "max-age=60"], body: body)
                .inPieces(of: 30_000))
        var store = fixture.store()
        let (first, wasHit) = try await get(api(store), "a")
        #expect(first.elementsEqual(body) && !wasHit)
        for _ in 0..<3 {
            let (again, isHit) = try await get(api(store), "a")
            #expect(again.elementsEqual(body) && isHit)
            store = fixture.store()
        }
        #expect(stub.requests.count == 1)
    }

    @Test("keeps what a change of the resource makes stale from being found by another store")
    func invalidation() async throws {
        stub.on(
            .get, "/a", StubResponse(headers: ["Cache-Control": "max-age=60"], body: body(100_000)))
        stub.on(.put, "/a", .status(204))
        let (one, other) = (fixture.store(), fixture.store())
        _ = try await get(api(one), "a")
        try await fixture.until { try await get(api(other), "a").isHit }
        try await api(one).put("a")
        try await one.settle()
        #expect(try await !get(api(other), "a").isHit)
    }

    @Test(
        "sends requests as without a cache while the store can do nothing",
        arguments: [10, 100_000])
    func failing(size: Int) async throws {
        let body = body(size)
        stub.on(.get, "/a", StubResponse(headers: ["Cache-Control": "max-age=60"], body: body))
        try Data("a file".utf8).write(to: fixture.folder)
        let store = fixture.store()
        let api = api(store)
        for _ in 0..<3 {
            let (received, isHit) = try await get(api, "a")
            #expect(received.elementsEqual(body) && !isHit)
        }
        try await fixture.until { fixture.failures.withLock { !$0.isEmpty } }
        try FileManager.default.removeItem(at: fixture.folder)
        try await fixture.until { try await get(api, "a").isHit }
        #expect(try await get(api, "a").0.elementsEqual(body))
    }
}
