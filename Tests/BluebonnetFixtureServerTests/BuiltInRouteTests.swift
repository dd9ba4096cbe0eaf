import BluebonnetFixtureServer
import Testing

@Suite("Built-in routes")
struct BuiltInRouteTests {
    private static let blockSize = 251 * 256

    @Test(
        "The small documents have their content types",
        arguments: [
            ("/json", "application/json"), ("/xml", "application/xml"),
            ("/plist", "application/x-plist"), ("/text", "text/plain; charset=utf-8"),
        ])
    func documents(path: String, type: String) throws {
        let server = try FixtureServer()
        let response = try ClientSocket(port: server.port).get(path)
        #expect(response.status == 200)
        #expect(response.headers["content-type"] == type)
        #expect(!response.body.isEmpty)
    }

    @Test("/status/N returns that status, with a body only where one is allowed")
    func statuses() throws {
        let server = try FixtureServer()
        let client = try ClientSocket(port: server.port)
        for status in [200, 204, 205, 304, 404, 418, 503, 599] {
            let response = try client.get("/status/\(status)")
            #expect(response.status == status)
            #expect(response.body.isEmpty == [204, 205, 304].contains(status))
        }
        for path in ["/status/1", "/status/x", "/nowhere", "/", "/bytes/-1", "/a/b/c/d"] {
            #expect(try client.get(path).status == 404)
        }
    }

    @Test("Replies in a cycle come in turn, over and over, and none is 404")
    func cycle() throws {
        let server = try FixtureServer(routes: [
            "/two": FixtureServer.cycling([.text("a"), .text("b")]),
            "/none": FixtureServer.cycling([]),
        ])
        let client = try ClientSocket(port: server.port)
        let bodies = try (0..<3).map { _ in try client.get("/two").body }
        #expect(bodies == ["a", "b", "a"].map { Array($0.utf8) })
        #expect(try client.get("/none").status == 404)
    }

    @Test(
        "N bytes are sent with a length, chunked and gzipped",
        arguments: [0, 1, 1000, blockSize - 1, blockSize, blockSize + 1, 3 * blockSize])
    func bytes(count: Int) throws {
        let server = try FixtureServer()
        let client = try ClientSocket(port: server.port)
        let expected = DeterministicBytes.prefix(count)
        #expect(try client.get("/bytes/\(count)").body == expected)
        #expect(try client.get("/chunked/\(count)").body == expected)
        let packed = try client.get("/gzip/\(count)")
        #expect(packed.headers["content-encoding"] == "gzip")
        #expect(try output(of: "gzip -dc", input: packed.body) == expected)
    }

    @Test("Huge bodies are announced but not allocated")
    func hugeBodies() throws {
        let server = try FixtureServer()
        for path in ["/bytes/1073741824", "/bytes/9223372036854775807", "/chunked/1073741824"] {
            let client = try ClientSocket(port: server.port)
            try client.send("GET \(path) HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try client.readResponse(hasBody: false).status == 200)
            #expect(try client.read(1000).count == 1000)
        }
        let client = try ClientSocket(port: server.port)
        #expect(try client.get("/gzip/9223372036854775807").status == 404)
    }

    @Test("/gzip and /deflate decompress to /json")
    func compression() throws {
        let server = try FixtureServer()
        let client = try ClientSocket(port: server.port)
        let json = try client.get("/json").body
        #expect(try output(of: "gzip -dc", input: try client.get("/gzip").body) == json)
        let deflated = try client.get("/deflate")
        #expect(deflated.headers["content-encoding"] == "deflate")
        let inflate =
            "python3 -c 'import sys,zlib;"
            + "sys.stdout.buffer.write(zlib.decompress(sys.stdin.buffer.read()))'"
        #expect(try output(of: inflate, input: deflated.body) == json)
    }

    @Test("Redirects count down to /json or lead to the given URL")
    func redirects() throws {
        let server = try FixtureServer()
        let client = try ClientSocket(port: server.port)
        #expect(try client.get("/redirect/2").headers["location"] == "/redirect/1")
        #expect(try client.get("/redirect/1").headers["location"] == "/json")
        let told = try client.get("/redirect-to?status=307&url=http%3A%2F%2Fa%2Fb%3Fc%3Dd%26e")
        #expect(told.status == 307)
        #expect(told.headers["location"] == "http://a/b?c=d&e")
        for query in ["", "?url", "?status=200&url=/a", "?url=a%0D%0Ab&status=302"] {
            #expect(try client.get("/redirect-to" + query).status == (query == "?url" ? 302 : 400))
        }
    }

    @Test("/headers/N adds N header fields")
    func extraHeaders() throws {
        let server = try FixtureServer()
        let client = try ClientSocket(port: server.port)
        let headers = try client.get("/headers/500").headers
        #expect(headers["x-1"] == "value-1" && headers["x-500"] == "value-500")
        #expect(headers["x-501"] == nil)
        #expect(try client.get("/headers/99999999999").status == 404)
    }
}
