import BluebonnetChain
import BluebonnetTesting
import Testing

@Suite("Programs in the style of Alamofire's users", .serialized, .timeLimit(.minutes(2)))
struct ProgramTests {
    let stage = Stage.shared

    private func json(_ text: String) -> StubResponse {
        StubResponse(
            200, headers: ["Content-Type": "application/json"], body: Data(text.utf8))
    }

    @Test("01 GET, validate, decode")
    func first() async {
        _ = stage.begin(json(#"{"id":7,"name":"Ann"}"#))
        program01()
        #expect(await stage.lines(1) == ["Ann"])
        _ = stage.begin(StubResponse(404))
        program01()
        #expect(await stage.lines(1)[0].hasPrefix("404 "))
    }

    @Test("02 async/await, Encodable parameters, headers")
    func second() async throws {
        let first = stage.begin(json(#"{"value":"secret"}"#))
        #expect(try await program02() == "secret")
        let request = stage.requests(from: first)[0]
        #expect(request.method == .post && request.headers["Content-Type"] == "application/json")
        #expect(request.headers["Authorization"] == "Bearer t")
        #expect(request.headers["Accept"] == "application/json")
        #expect(try request.json() == ["email": "a@b.c", "password": "p"])
    }

    @Test("03 dictionary parameters, both encodings, form encoder options")
    func third() async throws {
        let first = stage.begin(
            StubResponse(200, body: Data("x".utf8)), StubResponse(200, body: Data("x".utf8)),
            StubResponse(200, body: Data("x".utf8)))
        program03()
        #expect(await stage.lines(3).sorted() == ["1", "200", "x"])
        let requests = stage.requests(from: first)
        let items = try #require(requests.first { $0.method == .get && $0.path == "/items" })
        #expect(items.url.query == "draft=false&ids=3&ids=1&ids=2&page=1")
        let put = try #require(requests.first { $0.method == .put })
        #expect(put.text == #"{"draft":false,"ids":[3,1,2],"page":1}"#)
        let search = try #require(requests.first { $0.path == "/search" })
        #expect(search.url.query == "exact=true&search_text=a+b&tags%5B0%5D=x")
    }

    @Test("04 a router")
    func fourth() async throws {
        let first = stage.begin(StubResponse(203))
        await program04()
        #expect(await stage.lines(1) == ["203"])
        #expect(stage.requests(from: first)[0].url.absoluteString.hasSuffix("/users?page=2"))
        let delete = try Router04.delete(3).asURLRequest()
        #expect(delete.method == .delete && delete.headers["X-Reason"] == "test")
    }

    @Test("05 an interceptor with completion handlers")
    func fifth() async {
        let first = stage.begin(StubResponse(503), StubResponse(200, body: Data("abc".utf8)))
        program05()
        #expect(await stage.lines(1) == ["success(3 bytes)"])
        let requests = stage.requests(from: first)
        #expect(requests.map { $0.headers["Authorization"] } == ["Bearer t", "Bearer t"])
    }

    @Test("06 composed interceptors and policies")
    func sixth() async throws {
        let first = stage.begin(StubResponse(200, body: Data("abc".utf8)))
        #expect(try await program06() == Data("abc".utf8))
        #expect(stage.requests(from: first)[0].headers["X-Request-ID"]?.count == 36)
    }

    @Test("07 OAuth-like refresh")
    func seventh() async {
        let first = stage.begin(StubResponse(200))
        program07()
        #expect(await stage.lines(1) == ["false"])
        #expect(stage.requests(from: first)[0].headers["Authorization"] == "Bearer new")
    }

    @Test("08 download with destination and progress")
    func eighth() async throws {
        let directory = URL(fileURLWithPath: "/tmp/files")
        defer { try? FileManager.default.removeItem(at: directory) }
        // On Linux, Foundation takes the suggested file name only from this field.
        let disposition: HTTPHeaders = ["Content-Disposition": "attachment; filename=big.iso"]
        _ = stage.begin(StubResponse(200, headers: disposition, body: Data("iso".utf8)))
        program08()
        let lines = await stage.lines(2)
        #expect(lines == ["1.0", "/tmp/files/big.iso 0"])
        #expect(try Data(contentsOf: directory.appendingPathComponent("big.iso")).count == 3)
    }

    @Test("09 resume a download, and stop one for later")
    func ninth() async throws {
        let body = Data(repeating: 1, count: 200_000)
        _ = stage.begin(
            StubResponse(200, headers: ["ETag": "\"v\""], body: body).cut(after: 150_000),
            StubResponse(
                206,
                headers: ["ETag": "\"v\"", "Content-Range": "bytes 150000-199999/200000"],
                body: body.suffix(50_000)))
        let broken = await AF.download(
            "https://example.com/file", to: { temporaryURL, _ in (temporaryURL, []) }
        ).serializingData().response
        let resumeData = try #require(broken.resumeData)
        let file = try await program09(resumeData: resumeData)
        let bytes = try Data(contentsOf: file)
        #expect(bytes == body)
        try FileManager.default.removeItem(at: file)
        _ = stage.begin(StubResponse(200, body: body).stalled(after: 100_000))
        let running = AF.download("https://example.com/slow")
        await withCheckedContinuation { continuation in
            let isFirst = Locked(true)
            running.downloadProgress { _ in
                let isFirst = isFirst.withLock { value in
                    defer { value = false }
                    return value
                }
                if isFirst { continuation.resume() }
            }
            running.response { _ in }
        }
        program09(running)
        let lines = await stage.lines(2)
        #expect(lines.contains { $0.hasPrefix("true ") } && lines.count == 2)
    }

    @Test("10 multipart upload")
    func tenth() async throws {
        let photo = FileManager.default.temporaryDirectory.appendingPathComponent(
            "\(UUID().uuidString).jpg")
        try Data("jpeg".utf8).write(to: photo)
        defer { try? FileManager.default.removeItem(at: photo) }
        let first = stage.begin(json(#"{"id":1}"#))
        program10(photo: photo)
        let lines = await stage.lines(2)
        #expect(lines.last == #"["id": 1]"#)
        let request = stage.requests(from: first)[0]
        #expect(request.headers["X-Album"] == "7")
        #expect(
            request.headers["Content-Type"]?.hasPrefix("multipart/form-data; boundary=") == true)
        #expect(
            request.text.contains(
                "Content-Disposition: form-data; name=\"photo\"; filename=\"p.jpg\"\r\nContent-Type: image/jpeg\r\n\r\njpeg\r\n"
            ))
        #expect(request.text.contains("name=\"caption\"\r\n\r\nat the lake\r\n"))
        #expect(lines.first == "\(request.body.count)")
    }

    @Test("11 upload data and a file")
    func eleventh() async throws {
        try Data("file".utf8).write(to: URL(fileURLWithPath: "/tmp/x"))
        defer { try? FileManager.default.removeItem(atPath: "/tmp/x") }
        let first = stage.begin(
            StubResponse(200, body: Data("a".utf8)), StubResponse(200, body: Data("b".utf8)))
        await program11()
        #expect(await stage.lines(1)[0].hasPrefix("success(1 bytes) success(\"b\")") == false)
        let requests = stage.requests(from: first)
        #expect(requests.map(\.text) == ["x", "file"] && requests.map(\.method) == [.put, .post])
    }

    @Test("12 streams: closure and async")
    func twelfth() async {
        _ = stage.begin(
            StubResponse(200, body: Data("begin end".utf8)),
            StubResponse(200, body: Data("{\"id\":1}\n{\"id\":2}\n".utf8)))
        await program12()
        let lines = await stage.lines(4)
        #expect(lines.contains("begin end") && lines.contains("1") && lines.contains("2"))
        #expect(lines.contains { $0.contains("canceled") })
    }

    @Test("13 event monitor")
    func thirteenth() async {
        _ = stage.begin(StubResponse(200))
        program13()
        let lines = await stage.lines(4)
        #expect(lines.contains { $0.hasPrefix("→ ") } && lines.contains { $0.hasPrefix("done ") })
        #expect(lines.contains { $0.hasPrefix("$ curl -v") })
        #expect(lines.contains { $0.hasPrefix("success(") })
    }

    @Test("14 redirects, modifiers, custom validation")
    func fourteenth() async {
        _ = stage.begin(StubResponse(302, headers: ["Location": "/b"], body: Data()))
        program14()
        #expect(await stage.lines(1) == ["false"])
        _ = stage.begin(StubResponse(451, body: Data()))
        program14()
        #expect(await stage.lines(1) == ["true"])
    }

    @Test("15 suspend, cancel, cancel all, manual start")
    func fifteenth() async {
        _ = stage.begin(StubResponse(200).after(.seconds(3600)))
        program15()
        let lines = await stage.lines(3)
        #expect(lines.contains("true") && lines.contains("all canceled"))
        #expect(lines.contains { $0.hasSuffix(" true") })
    }

    @Test("16 map, a custom serializer, a queue")
    func sixteenth() async {
        _ = stage.begin(StubResponse(200, body: Data("a\nb".utf8)))
        program16()
        #expect(await stage.lines(1) == ["2 a"])
    }
}

extension ProgramTests {
    @Test("each of forty more programs prints its line", arguments: morePrograms)
    func more(program: Program) async throws {
        _ = stage.begin(
            program.responses.map {
                StubResponse($0.status, headers: $0.headers, body: Data($0.body.utf8))
            })
        try await program.run()
        #expect(await stage.lines(1) == [program.line])
    }

    @Test("there are forty more programs")
    func count() { #expect(morePrograms.count >= 40) }
}
