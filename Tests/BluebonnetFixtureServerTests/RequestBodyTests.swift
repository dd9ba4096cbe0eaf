import BluebonnetFixtureServer
import Testing

@Suite("Request bodies")
struct RequestBodyTests {
    @Test("A chunked body is decoded, with extensions and trailers, and the next request follows")
    func chunked() throws {
        let server = try FixtureServer()
        let client = try ClientSocket(port: server.port)
        try client.send(
            "POST /echo-body HTTP/1.1\r\nHost: h\r\nContent-Type: text/x\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\nA\r\n, the worl\r\n"
                + "1\r\nd\r\n0\r\nX-Trailer: 1\r\n\r\n")
        let response = try client.readResponse()
        #expect(response.text == "hello, the world")
        #expect(response.headers["content-type"] == "text/x")
        #expect(try client.get("/json").status == 200)
    }

    @Test("A body of several mebibytes comes back unchanged")
    func largeBody() throws {
        let server = try FixtureServer()
        let client = try ClientSocket(port: server.port)
        let body = DeterministicBytes.prefix(5 << 20)
        try client.send(
            "POST /echo-body HTTP/1.1\r\nHost: h\r\nContent-Length: \(body.count)\r\n\r\n")
        try client.send(body)
        #expect(try client.readResponse().body == body)
    }

    @Test("Expect: 100-continue is answered with 100 before the body")
    func expectContinue() throws {
        let server = try FixtureServer()
        let client = try ClientSocket(port: server.port)
        try client.send(
            "PUT /echo-body HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n"
                + "Expect: 100-continue\r\n\r\n"
        )
        #expect(try client.read(through: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
        try client.send("ok")
        #expect(try client.readResponse().text == "ok")
    }

    @Test("/echo describes the request, its repeated headers and its text")
    func echo() throws {
        let server = try FixtureServer()
        let client = try ClientSocket(port: server.port)
        try client.send(
            "PATCH /echo?a=%20b HTTP/1.1\r\nHost: h\r\nX-A: 1\r\nx-a:  2 \r\n"
                + "Content-Length: 3\r\n\r\n\"\n\u{1}")
        #expect(
            try client.readResponse().text
                == #"{"method":"PATCH","target":"/echo?a=%20b","headers":{"Host":["h"],"#
                + #""X-A":["1","2"],"Content-Length":["3"]},"body":"\"\u000a\u0001"}"#)
    }

    @Test("/echo gives a body that is not UTF-8 in Base64")
    func echoBinary() throws {
        let server = try FixtureServer()
        let client = try ClientSocket(port: server.port)
        try client.send("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\n")
        try client.send([0xFF, 0xFE, 0x00, 0x41])
        #expect(try client.readResponse().text.hasSuffix(#""bodyBase64":"//4AQQ=="}"#))
    }

    @Test("The handler sees path, query, headers and body")
    func requestParts() throws {
        let server = try FixtureServer(routes: [
            "/a/*": { request in
                .text(
                    "\(request.method) \(request.path) \(request.query ?? "-") "
                        + "\(request.headers["x-b"] ?? "-") \(request.body)")
            }
        ])
        let client = try ClientSocket(port: server.port)
        #expect(
            try client.get("/a/b%2F?q=1?2", headers: "X-B: c\r\n").text == "GET /a/b%2F q=1?2 c []")
        #expect(try client.get("http://h/a/?").text == "GET /a/  - []")
        #expect(try client.get("/a").status == 404)
    }
}
