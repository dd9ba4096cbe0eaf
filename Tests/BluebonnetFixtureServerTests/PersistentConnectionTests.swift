import BluebonnetFixtureServer
import Testing

@Suite("Persistent connections")
struct PersistentConnectionTests {
    @Test("One connection carries several requests, numbered in order")
    func keepAlive() throws {
        let server = try FixtureServer()
        server.recordsRequests = true
        let client = try ClientSocket(port: server.port)
        for _ in 0..<3 { #expect(try client.get("/json").status == 200) }
        #expect(server.acceptedConnectionCount == 1)
        #expect(server.requestCount == 3)
        #expect(server.recordedRequests.map(\.requestIndex) == [0, 1, 2])
        #expect(server.recordedRequests.map(\.connectionIndex) == [0, 0, 0])
    }

    @Test("Pipelined requests are answered in order, even when the first is delayed")
    func pipelining() throws {
        let server = try FixtureServer()
        let client = try ClientSocket(port: server.port)
        let requests = ["/delay/30", "/bytes/3", "/status/404", "/text"]
            .map { "GET \($0) HTTP/1.1\r\nHost: h\r\n\r\n" }
        try client.send(requests.joined())
        #expect(try client.readResponse().headers["content-type"] == "application/json")
        #expect(try client.readResponse().body == [0, 1, 2])
        #expect(try client.readResponse().status == 404)
        #expect(try client.readResponse().text.hasPrefix("Hello"))
    }

    @Test("A request that arrives byte by byte is understood")
    func slowRequest() throws {
        let server = try FixtureServer()
        let client = try ClientSocket(port: server.port)
        for byte in "POST /echo-body HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc".utf8 {
            try client.send([byte])
        }
        #expect(try client.readResponse().text == "abc")
    }

    @Test("HEAD gets the header fields of GET and no body")
    func head() throws {
        let server = try FixtureServer()
        let client = try ClientSocket(port: server.port)
        for target in ["/json", "/bytes/1073741824", "/gzip/100"] {
            try client.send("HEAD \(target) HTTP/1.1\r\nHost: h\r\n\r\n")
            let response = try client.readResponse(hasBody: false)
            #expect(response.status == 200)
            #expect(response.headers["content-length"] != nil)
        }
        #expect(try client.get("/bytes/1").body == [0])
    }

    @Test(
        "The connection closes after a request or reply that asks for it",
        arguments: [
            "GET /json HTTP/1.1\r\nHost: h\r\nConnection: Close\r\n\r\n",
            "GET /json HTTP/1.0\r\n\r\n",
            "GET /closing HTTP/1.1\r\nHost: h\r\n\r\n",
        ])
    func connectionClose(request: String) throws {
        let server = try FixtureServer(routes: [
            "/closing": { _ in .response(status: 200, headers: [("connection", "close")]) }
        ])
        let client = try ClientSocket(port: server.port)
        try client.send(request)
        #expect(try client.readResponse().status == 200)
        #expect(try client.readToEnd().isEmpty)
    }

    @Test("HTTP/1.0 with keep-alive keeps the connection")
    func oldKeepAlive() throws {
        let server = try FixtureServer()
        let client = try ClientSocket(port: server.port)
        for _ in 0..<2 {
            try client.send("GET /json HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(try client.readResponse().status == 200)
        }
    }

    @Test("Idle connections can be closed by the server")
    func closeIdle() throws {
        let server = try FixtureServer()
        let idle = try ClientSocket(port: server.port)
        let busy = try ClientSocket(port: server.port)
        #expect(try idle.get("/json").status == 200)
        try busy.send("GET /hang HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(server.wait(upTo: 20_000) { $0.requests == 2 })
        server.closeIdleConnections()
        #expect(server.openConnectionCount == 1)
        #expect(try idle.readToEnd().isEmpty)
    }
}
