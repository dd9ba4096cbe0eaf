import Bluebonnet
import BluebonnetTesting
import Testing

@Suite("The file format of a cassette", .timeLimit(.minutes(1)))
struct CassetteFormatTests {
    private let stub = StubTransport()
    private let place = TemporaryCassette()

    private func record() throws -> Cassette {
        try Cassette(at: place.file, mode: .recordAnew, recordingFrom: stub)
    }

    @Test("a cassette has the documented format")
    func golden() async throws {
        stub.on(
            .get, "/users",
            StubResponse(
                headers: [
                    "Content-Type": "application/json", "Set-Cookie": "id=abc; Path=/; Secure",
                ],
                body: Data(
                    #"{"users":[{"name":"é\u00e9","balance":1.10}],"huge":1e400,"next":null}"#.utf8)
            ))
        stub.on(.post, "/login", .redirect(to: "/home?token=t0p&lang=en"))
        stub.on(.get, "/page", .text("one\ntwo\n\n\"three\"").trailers(["X-Sum": "1"]))
        stub.on(.get, "/image", .data(Data((0..<70).map { 3 * $0 })))
        stub.on(.delete, "/users/1", .failure(.cannotConnectToHost))
        let cassette = try record()
        _ = await cassette.outcome(
            "GET", "https://a.test/users?page=1", ["Accept": "*/*", "Authorization": "Bearer t0p"])
        _ = await cassette.outcome(
            "POST", "https://a.test/login",
            ["Content-Type": "application/x-www-form-urlencoded", "Cookie": "id=abc"],
            body: .data(Data("name=jo&password=p4ss".utf8)))
        _ = await cassette.outcome("GET", "https://a.test/page")
        _ = await cassette.outcome("GET", "https://a.test/image")
        _ = await cassette.outcome("DELETE", "https://a.test/users/1")
        try cassette.verify()
        let text = try place.text
        #expect(text == Self.golden)
        try cassette.verify()
        #expect(try place.text == text)
    }

    private static let golden = #"""
        {
          "cassetteVersion": 1,
          "interactions": [
            {
              "request": {
                "method": "GET",
                "url": "https://a.test/users?page=1",
                "headers": [
                  "Accept: */*",
                  "Authorization: Bearer SECRET_1"
                ]
              },
              "response": {
                "status": 200,
                "version": "HTTP/1.1",
                "headers": [
                  "Content-Type: application/json",
                  "Set-Cookie: id=SECRET_2; Path=/; Secure",
                  "Content-Length: 71"
                ],
                "body": {
                  "json": {
                    "users": [
                      {
                        "name": "é\u00e9",
                        "balance": 1.10
                      }
                    ],
                    "huge": 1e400,
                    "next": null
                  }
                }
              }
            },
            {
              "request": {
                "method": "POST",
                "url": "https://a.test/login",
                "headers": [
                  "Content-Type: application/x-www-form-urlencoded",
                  "Cookie: id=SECRET_2"
                ],
                "body": {
                  "text": "name=jo&password=SECRET_3"
                }
              },
              "response": {
                "status": 302,
                "version": "HTTP/1.1",
                "headers": [
                  "Location: /home?token=SECRET_1&lang=en",
                  "Content-Length: 0"
                ]
              }
            },
            {
              "request": {
                "method": "GET",
                "url": "https://a.test/page"
              },
              "response": {
                "status": 200,
                "version": "HTTP/1.1",
                "headers": [
                  "Content-Type: text/plain; charset=utf-8",
                  "Transfer-Encoding: chunked"
                ],
                "body": {
                  "text": [
                    "one\n",
                    "two\n",
                    "\n",
                    "\"three\""
                  ]
                },
                "trailers": [
                  "X-Sum: 1"
                ]
              }
            },
            {
              "request": {
                "method": "GET",
                "url": "https://a.test/image"
              },
              "response": {
                "status": 200,
                "version": "HTTP/1.1",
                "headers": [
                  "Content-Type: application/octet-stream",
                  "Content-Length: 70"
                ],
                "body": {
                  "base64": [
                    "AAMGCQwPEhUYGx4hJCcqLTAzNjk8P0JFSEtOUVRXWl1gY2ZpbG9ydXh7foGEh4qNkJOWmZyfoqWo",
                    "q66xtLe6vcDDxsnMzw=="
                  ]
                }
              }
            },
            {
              "request": {
                "method": "DELETE",
                "url": "https://a.test/users/1"
              },
              "failure": {
                "code": -1004,
                "message": "the stub failed with the code -1004"
              },
              "requestWasSent": false
            }
          ]
        }

        """#

    @Test("a file that is read is written back unchanged")
    func again() async throws {
        try place.write(Self.golden)
        stub.on("/new", .text("new"))
        let cassette = try Cassette(at: place.file, mode: .recordMissing, recordingFrom: stub)
        for (method, url) in [
            ("GET", "https://a.test/users?page=1"), ("POST", "https://a.test/login"),
            ("GET", "https://a.test/page"), ("GET", "https://a.test/image"),
            ("DELETE", "https://a.test/users/1"), ("GET", "https://a.test/new"),
        ] {
            let body = method == "POST" ? Data("name=jo&password=other".utf8) : nil
            _ = await cassette.outcome(method, url, body: body.map { .data($0) })
        }
        try cassette.verify()
        let lines = Self.golden.split(separator: "\n")
        let written = try place.text.split(separator: "\n")
        #expect(written.starts(with: lines.dropLast(3)))
        #expect(written.count > lines.count)
    }

    @Test(
        "bodies are stored as JSON, text or Base64, and replayed with the same meaning",
        arguments: [
            ("application/json", #"{"b":12345678901234567890,"a":1.10}"#, "json", true),
            ("application/json", "{ \"a\" :\n1e400 }", "json", false),
            ("application/vnd.api+json; charset=utf-8", "[]", "json", true),
            ("application/json", #"{"a":1,"a":2}"#, "text", true),
            ("application/json", #"{"a":1"#, "text", true),
            ("application/json", "\u{FEFF}{}", "text", true),
            ("text/plain", "{ }", "text", true), ("text/plain", "a\r\nb\r\n", "text", true),
            ("text/plain", "\n\n", "text", true), ("text/html", "nul \u{0}", "base64", true),
        ])
    func forms(type: String, text: String, form: String, isExact: Bool) async throws {
        stub.on("/", .text(text, type: type))
        let recording = try record()
        _ = await recording.outcome("GET", "http://a.test/")
        try recording.verify()
        #expect(try place.text.contains("\"\(form)\":"))
        let cassette = try Cassette(at: place.file, mode: .replay)
        let outcome = await cassette.outcome("GET", "http://a.test/")
        let exact = isExact ? text : #"{"a":1e400}"#
        #expect(outcome.text == exact)
        #expect(outcome.head?["Content-Length"] == "\(exact.utf8.count)")
        try cassette.verify()
    }

    @Test("binary bodies, even long ones, are replayed byte for byte")
    func binary() async throws {
        let bytes = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) })
        stub.on("/", .data(bytes))
        let recording = try record()
        _ = await recording.outcome("PUT", "http://a.test/", body: .data(bytes))
        try recording.verify()
        let cassette = try Cassette(at: place.file, mode: .replay)
        let outcome = await cassette.outcome("PUT", "http://a.test/", body: .data(bytes))
        #expect(outcome.body == bytes)
        try cassette.verify()
    }

    @Test("a file is replaced as a whole, and no other file is left in its folder")
    func atomic() async throws {
        try place.write("an old file")
        let cassette = try record()
        try cassette.verify()
        #expect(try place.text == "{\n  \"cassetteVersion\": 1,\n  \"interactions\": []\n}\n")
        let folder = place.file.deletingLastPathComponent()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["test.json"])
    }

    @Test("a cassette that cannot be written is an error, and the old file stays")
    func unwritable() async throws {
        let blocked = place.folder.appendingPathComponent("file/test.json")
        try FileManager.default.createDirectory(at: place.folder, withIntermediateDirectories: true)
        try Data("a file".utf8).write(to: place.folder.appendingPathComponent("file"))
        let cassette = try Cassette(at: blocked, mode: .recordAnew, recordingFrom: stub)
        let error = try #require(throws: CassetteError.self) { try cassette.verify() }
        #expect("\(error)".contains("cannot be written") && error.file == blocked)
    }
}
