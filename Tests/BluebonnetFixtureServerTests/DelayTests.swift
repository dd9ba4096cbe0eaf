import BluebonnetFixtureServer
import Testing

@Suite("Delays")
struct DelayTests {
    @Test("Two simultaneous delayed requests finish in the order of their delays")
    func interleaving() throws {
        let server = try FixtureServer()
        let slow = try ClientSocket(port: server.port)
        let fast = try ClientSocket(port: server.port)
        let clock = ContinuousClock()
        let start = clock.now
        try slow.send("GET /delay/400 HTTP/1.1\r\nHost: h\r\n\r\n")
        try fast.send("GET /delay/100 HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try fast.readResponse().status == 200)
        let fastTime = clock.now - start
        #expect(try slow.readResponse().status == 200)
        let slowTime = clock.now - start
        #expect(fastTime >= .milliseconds(100) && slowTime >= .milliseconds(400))
        #expect(fastTime < slowTime)
        // If the requests were served in turn, the slow reply would take the sum of both delays.
        #expect(slowTime - fastTime < .milliseconds(400))
    }

    @Test("A thousand delayed replies wait simultaneously")
    func manyDelays() throws {
        let server = try FixtureServer()
        let clients = try (0..<1000).map { _ in try ClientSocket(port: server.port) }
        for client in clients { try client.send("GET /delay/300 HTTP/1.1\r\nHost: h\r\n\r\n") }
        for client in clients { #expect(try client.readResponse().status == 200) }
        #expect(server.requestCount == 1000)
    }

    @Test("A dripping body takes the expected time and is complete")
    func drip() throws {
        let server = try FixtureServer()
        let client = try ClientSocket(port: server.port)
        let start = ContinuousClock.now
        #expect(try client.get("/drip/5/20").body == [0, 1, 2, 3, 4])
        #expect(ContinuousClock.now - start >= .milliseconds(80))
        #expect(try client.get("/drip/0/20").body.isEmpty)
    }

    @Test("A client that disconnects during a delay is noticed at once")
    func abandonedDelay() throws {
        let server = try FixtureServer()
        var client: ClientSocket? = try ClientSocket(port: server.port)
        try client?.send("GET /delay/999999999999999 HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(server.wait(upTo: 20_000) { $0.requests == 1 && $0.openConnections == 1 })
        client = nil
        #expect(server.wait(upTo: 20_000) { $0.openConnections == 0 })
    }
}
