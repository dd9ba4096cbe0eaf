import BluebonnetFixtureServer
import Testing

@Suite("Malformed requests")
struct MalformedRequestTests {
    @Test(
        "A malformed request gets 400 and the connection ends",
        arguments: [
            "\r\n\r\n",
            "nonsense\r\n\r\n",
            "GET  /json HTTP/1.1\r\nHost: h\r\n\r\n",
            "GET /json HTTP/1.1\r\n\r\n",
            "GET /json HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
            "GET /json HTTP/1.1\nHost: h\r\n\r\n",
            "GET /json FTP/1.1\r\nHost: h\r\n\r\n",
            "G(T /json HTTP/1.1\r\nHost: h\r\n\r\n",
            "GET /json HTTP/1.1\r\nHost: h\r\nBad Name: 1\r\n\r\n",
            "GET /json HTTP/1.1\r\nHost: h\r\n folded\r\n\r\n",
            "GET /json HTTP/1.1\r\nHost: h\r\nX: \u{0}\r\n\r\n",
            "POST /json HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n",
            "POST /json HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999999999999999\r\n\r\n",
            "POST /json HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
            "POST /json HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n",
            "POST /json HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
            "POST /json HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
            "POST /json HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc",
        ])
    func malformed(request: String) throws {
        try expectRefusal(of: request, status: 400)
    }

    @Test(
        "Unsupported requests are refused with the status for their reason",
        arguments: [
            ("GET / HTTP/2.0\r\nHost: h\r\n\r\n", 505),
            ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
            ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9999999999999\r\n\r\n", 413),
        ])
    func unsupported(request: String, status: Int) throws {
        try expectRefusal(of: request, status: status)
    }

    @Test("An endless header section is refused with 431")
    func longHead() throws {
        let line = "X: " + String(repeating: "a", count: 65_536) + "\r\n"
        let head = "GET / HTTP/1.1\r\nHost: h\r\n" + String(repeating: line, count: 17)
        try expectRefusal(of: head, status: 431)
    }

    private func expectRefusal(of request: String, status: Int) throws {
        let server = try FixtureServer()
        let client = try ClientSocket(port: server.port)
        try client.send(request)
        #expect(try client.readResponse().status == status)
        #expect(try client.readToEnd().isEmpty)
        #expect(server.requestCount == 0)
        let other = try ClientSocket(port: server.port)
        #expect(try other.get("/json").status == 200)
    }
}
