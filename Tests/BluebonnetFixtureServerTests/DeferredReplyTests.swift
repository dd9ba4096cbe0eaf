import BluebonnetFixtureServer
import Testing

@Suite("Deferred replies")
struct DeferredReplyTests {
    @Test("Other connections are served meanwhile, and only the first completion counts")
    func later() async throws {
        let (waiting, arrived) = AsyncStream.makeStream(of: DeferredReply.self)
        let server = try FixtureServer { request in
            guard request.path == "/later" else { return .text("now") }
            return .script([.defer { arrived.yield($0) }])
        }
        let (late, early) = (
            try ClientSocket(port: server.port), try ClientSocket(port: server.port)
        )
        try late.send("HEAD /later HTTP/1.1\r\nHost: h\r\n\r\nGET /b HTTP/1.1\r\nHost: h\r\n\r\n")
        let deferred = try #require(await waiting.first { _ in true })
        #expect(try early.get("/a").text == "now")
        deferred.complete(.text("first"))
        deferred.complete(.text("second"))
        #expect(try late.readResponse(hasBody: false).status == 200)
        #expect(try late.readResponse().text == "now")
    }

    @Test("A client that disconnects abandons its reply, and completing it has no effect")
    func abandoned() async throws {
        let (waiting, arrived) = AsyncStream.makeStream(of: DeferredReply.self)
        let (told, tell) = AsyncStream.makeStream(of: Void.self)
        let server = try FixtureServer { _ in
            .script([
                .defer { deferred in
                    deferred.whenAbandoned { tell.yield() }
                    arrived.yield(deferred)
                }
            ])
        }
        var client: ClientSocket? = try ClientSocket(port: server.port)
        try client?.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        let deferred = try #require(await waiting.first { _ in true })
        client = nil
        _ = await told.first { _ in true }
        deferred.complete(.text("late"))
        deferred.whenAbandoned { tell.yield() }
        _ = await told.first { _ in true }
        #expect(server.wait(upTo: 20_000) { $0.openConnections == 0 })
    }
}
