import BluebonnetFixtureServer
import Glibc
import Testing

@Suite("Ways to end a connection")
struct ConnectionEndTests {
    private static let partialReply = Array("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc".utf8)

    @Test("A reset reaches the client as ECONNRESET")
    func reset() throws {
        let server = try FixtureServer(routes: [
            "/reset": { _ in .script([.reset]) },
            "/late-reset": { _ in
                .script([.send(Self.partialReply), .pause(milliseconds: 1), .reset])
            },
        ])
        for target in ["/reset", "/late-reset"] {
            let client = try ClientSocket(port: server.port)
            try client.send("GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(throws: ClientSocketError(code: ECONNRESET)) { try client.readToEnd() }
        }
    }

    @Test("All connections can be reset at once")
    func resetAll() throws {
        let server = try FixtureServer()
        let clients = try (0..<10).map { _ in try ClientSocket(port: server.port) }
        server.resetAllConnections()
        #expect(server.openConnectionCount == 0)
        for client in clients {
            #expect(throws: ClientSocketError(code: ECONNRESET)) { try client.readToEnd() }
        }
    }

    @Test("After a half close the client reads the end of the stream and can still send")
    func halfClose() throws {
        let server = try FixtureServer(routes: [
            "/half": { _ in .raw("HTTP/1.1 200 OK\r\n\r\nbody", then: .halfClose) }
        ])
        var client: ClientSocket? = try ClientSocket(port: server.port)
        try client?.send("GET /half HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try client?.readToEnd() == Array("HTTP/1.1 200 OK\r\n\r\nbody".utf8))
        try client?.send("more")
        try client?.send("and more")
        #expect(server.openConnectionCount == 1)
        client = nil
        #expect(server.wait(upTo: 20_000) { $0.openConnections == 0 })
    }

    @Test("A close in the middle of a body truncates it without a reset")
    func truncation() throws {
        let server = try FixtureServer(routes: ["/cut": { _ in .raw(Self.partialReply) }])
        let client = try ClientSocket(port: server.port)
        try client.send("GET /cut HTTP/1.1\r\nHost: h\r\n\r\nGET /cut HTTP/1.1\r\n")
        #expect(try client.readToEnd() == Self.partialReply)
    }

    @Test("Bytes sent before a half close by the client are still answered")
    func clientHalfClose() throws {
        let server = try FixtureServer()
        let client = try ClientSocket(port: server.port)
        try client.send("GET /bytes/1000000 HTTP/1.1\r\nHost: h\r\n\r\n")
        client.shutDownSending()
        #expect(DeterministicBytes.matches(try client.readResponse().body))
        #expect(try client.readToEnd().isEmpty)
    }

    @Test("An endless body ends when the client disconnects, and others are served meanwhile")
    func endless() throws {
        let server = try FixtureServer()
        var client: ClientSocket? = try ClientSocket(port: server.port)
        try client?.send("GET /endless HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try client?.readResponse().status == 200)
        #expect(DeterministicBytes.matches(try client?.read(1_000_000) ?? []))
        let other = try ClientSocket(port: server.port)
        #expect(try other.get("/json").status == 200)
        client = nil
        #expect(server.wait(upTo: 20_000) { $0.openConnections == 1 })
    }
}
