import Bluebonnet
import BluebonnetTesting
import Testing

@Suite("Secrets on cassettes", .timeLimit(.minutes(1)))
struct CassetteRedactionTests {
    private let stub = StubTransport()
    private let place = TemporaryCassette()

    @Test(
        "secret values in header fields are replaced, and nothing else",
        arguments: [
            ("Authorization", "Bearer abc.def", "Bearer SECRET_1"),
            ("authorization", "abcdef", "SECRET_1"),
            ("Authorization", #"Digest username="u", response="0f""#, "Digest SECRET_1"),
            ("Proxy-Authorization", "Basic dTpwYXNzd29yZDE=", "Basic SECRET_1"),
            ("Cookie", "id=abc; theme=dark", "id=SECRET_1; theme=SECRET_2"),
            ("Cookie", "id=; lone", "id=; SECRET_1"),
            ("X-Api-Key", "a b c", "SECRET_1"), ("X-CSRF-Token", "abc", "SECRET_1"),
            ("Idempotency-Key", "abc", "abc"), ("X-Plain", "a?b=c", "a?b=c"),
            (
                "Referer", "http://u:p@h.test/?token=abc&page=1#access_token=d",
                "http://SECRET_1@h.test/?token=SECRET_2&page=1#access_token=SECRET_3"
            ),
        ])
    func fields(name: String, value: String, shown: String) async throws {
        stub.on("/", .status(200))
        let text = try await place.record(from: stub) {
            _ = await $0.outcome("GET", "http://a.test/", [name: value])
        }
        #expect(text.contains(JSONEncoded("\(name): \(shown)").text), "\(text)")
    }

    @Test(
        "secret parts of URLs are replaced",
        arguments: [
            ("http://a.test/?page=1&api_key=abc", "http://a.test/?page=1&api_key=SECRET_1"),
            ("http://jo:secret@a.test/x", "http://SECRET_1@a.test/x"),
            (
                "http://a.test/?token=a%2Fb&access_token=a%2fb",
                "http://a.test/?token=SECRET_1&access_token=SECRET_1"
            ),
            ("http://a.test/?token=&q=token", "http://a.test/?token=&q=token"),
        ])
    func urls(url: String, shown: String) async throws {
        stub.on("/**", .status(200))
        let text = try await place.record(from: stub) { _ = await $0.outcome("GET", url) }
        #expect(text.contains(JSONEncoded(shown).text), "\(text)")
        let cassette = try Cassette(at: place.file, mode: .replay)
        #expect(await cassette.outcome("GET", url).head?.statusCode == 200)
        let other = url.replacingOccurrences(of: "abc", with: "another")
        #expect(await cassette.outcome("GET", other).failure?.message.contains("abc") == false)
    }

    @Test(
        "secrets in bodies are replaced by name, in JSON and in forms",
        arguments: [
            (
                "application/json",
                #"{"access_token":"abc","token_type":"Bearer","expires_in":3600}"#,
                #"{"access_token":"SECRET_1","token_type":"Bearer","expires_in":3600}"#
            ),
            (
                "application/json", #"{"refreshToken":"abc","client_secret":"d","password":"abc"}"#,
                #"{"refreshToken":"SECRET_1","client_secret":"SECRET_2","password":"SECRET_1"}"#
            ),
            (
                "application/json", #"{"session":{"id":["a",1,null]},"key":"A-1","password":""}"#,
                #"{"session":{"id":["SECRET_1",1,null]},"key":"A-1","password":""}"#
            ),
            (
                "application/json", #"{"next":"https:\/\/h\/?page=2&token=a"}"#,
                #"{"next":"https://h/?page=2&token=SECRET_1"}"#
            ),
            ("text/plain", #"{ "password": "abc" }"#, #"{ "password": "SECRET_1" }"#),
            (
                "application/x-www-form-urlencoded", "password=a+b&user=jo&client_secret=c",
                "password=SECRET_1&user=jo&client_secret=SECRET_2"
            ),
            (
                "text/html", #"<a href="/x?token=abc">password=1</a>"#,
                #"<a href="/x?token=SECRET_1">password=1</a>"#
            ),
        ])
    func bodies(type: String, body: String, shown: String) async throws {
        stub.on("/", .text(body, type: type))
        let text = try await place.record(from: stub) {
            _ = await $0.outcome(
                "POST", "http://a.test/", ["Content-Type": type], body: .data(Data(body.utf8)))
        }
        #expect(!text.contains("abc"))
        let cassette = try Cassette(at: place.file, mode: .replay)
        let outcome = await cassette.outcome(
            "POST", "http://a.test/",
            body: .data(Data(body.replacingOccurrences(of: "abc", with: "x").utf8)))
        #expect(outcome.text == shown)
        try cassette.verify()
    }

    @Test("equal secrets share a placeholder everywhere, and different secrets do not")
    func equal() async throws {
        stub.on(.post, "/token", .json(["access_token": "0123456789"]))
        stub.on(
            .get, "/me/0123456789",
            .text("you are 0123456789, not x0123456789").header(
                "Set-Cookie", "id=0123456789; Path=/"))
        stub.on(.get, "/binary", .data(Data([0, 1]) + Data("0123456789".utf8) + Data([0])))
        let text = try await place.record(from: stub) { cassette in
            _ = await cassette.outcome("POST", "http://a.test/token", ["X-Api-Key": "other"])
            _ = await cassette.outcome(
                "GET", "http://a.test/me/0123456789", ["Authorization": "Bearer 0123456789"])
            _ = await cassette.outcome("GET", "http://a.test/binary")
        }
        for shown in [
            #""access_token": "SECRET_2""#, #""Authorization: Bearer SECRET_2""#,
            #""http://a.test/me/SECRET_2""#, #""you are SECRET_2, not x0123456789""#,
            #""Set-Cookie: id=SECRET_2; Path=/""#, #""X-Api-Key: SECRET_1""#,
            Data([0, 1] + Data("SECRET_2".utf8) + [0]).base64EncodedString(),
        ] {
            #expect(text.contains(shown), "\(shown) in \(text)")
        }
    }

    @Test("a secret value continues past semicolons, up to the next name and value")
    func semicolons() async throws {
        stub.on("/", .text("fine"))
        let text = try await place.record(from: stub) {
            _ = await $0.outcome("GET", "http://a.test/?token=AAAABBBB;CCCCDDDD==;b=2&c=3")
        }
        #expect(text.contains("?token=SECRET_1;b=2&c=3"), "\(text)")
    }

    @Test("the password of a Basic credential is also hidden elsewhere")
    func password() async throws {
        stub.on("/", .text("welcome jo with pa55word!"))
        let login = Data("jo:pa55word!".utf8).base64EncodedString()
        let text = try await place.record(from: stub) {
            _ = await $0.outcome("GET", "http://a.test/", ["Authorization": "Basic \(login)"])
        }
        #expect(text.contains("welcome jo with SECRET_2") && !text.contains(login))
    }

    @Test("a replayed cookie keeps its attributes and is sent back")
    func cookies() async throws {
        stub.on(.get, "/login", .text("in").header("Set-Cookie", "id=abc; Path=/; Max-Age=60"))
        stub.on(.get, "/page") { .text($0.headers["Cookie"] ?? "none") }
        let clock = ManualClock()
        var configuration = SessionConfiguration()
        configuration.clock = clock
        var matching = CassetteMatching.strict
        matching.headers = ["Cookie"]
        for mode in [CassetteMode.recordAnew, .replay] {
            let cassette = try Cassette(
                at: place.file, mode: mode, recordingFrom: stub, matching: matching)
            let api = HTTPSessionManager(
                baseURL: URL(string: "http://a.test/"), configuration: configuration,
                transport: cassette)
            #expect(try await api.text("login") == "in")
            // At three bytes, the value is too short to be searched for in text.
            #expect(try await api.text("page") == "id=abc")
            await clock.advance(by: .seconds(61))
            #expect(try await api.text("page") == "none")
            try cassette.verify()
        }
        #expect(try place.text.contains("Cookie: id=SECRET_1"))
    }

    @Test("names can be added and excluded, and a closure finds secrets without a name")
    func further() async throws {
        stub.on("/", .json(["tenant": "acme", "card": "card 1234", "session": "kept"]))
        let redaction = Redactor(
            furtherNames: ["Tenant", "key"], keptNames: ["session", "X-Token"]
        ) { text in
            text.contains("1234") ? ["1234"] : []
        }
        let text = try await place.record(from: stub, redaction) {
            _ = await $0.outcome(
                "GET", "http://a.test/?x=1234&key=k", ["X-Token": "kept", "tenant": "t"])
        }
        for shown in [
            #""tenant": "SECRET_4""#, #""card": "card SECRET_1""#, #""session": "kept""#,
            "?x=SECRET_1&key=SECRET_2", "X-Token: kept", "tenant: SECRET_3",
        ] {
            #expect(text.contains(shown), "\(shown) in \(text)")
        }
    }

    @Test("new secrets do not reuse placeholders that are on the cassette")
    func numbers() async throws {
        stub.on("/a", .json(["token": "first"]))
        stub.on("/b", .json(["token": "second"]))
        _ = try await place.record(from: stub) { _ = await $0.outcome("GET", "http://a.test/a") }
        let cassette = try Cassette(at: place.file, mode: .recordMissing, recordingFrom: stub)
        #expect(await cassette.outcome("GET", "http://a.test/a").text == #"{"token":"SECRET_1"}"#)
        _ = await cassette.outcome("GET", "http://a.test/b", ["X-Token": "SECRET_1"])
        try cassette.verify()
        let text = try place.text
        #expect(text.contains(#""token": "SECRET_1""#) && text.contains(#""token": "SECRET_2""#))
        #expect(text.contains(#""X-Token: SECRET_1""#))
    }

    @Test("a secret that spans two pieces is hidden, and the pieces stay separate")
    func pieces() async throws {
        stub.on(
            "/", .text("token: ?token=0123456789 end").inPieces(of: 15, every: .milliseconds(1)))
        let cassette = try Cassette(
            at: place.file, mode: .recordAnew, recordingFrom: stub, keepsPieces: true)
        _ = await cassette.outcome("GET", "http://a.test/")
        try cassette.verify()
        let replay = try Cassette(at: place.file, mode: .replay)
        let pieces = await replay.outcome("GET", "http://a.test/").pieces
        #expect(
            pieces.map { String(decoding: $0, as: UTF8.self) } == [
                "token: ?token=SECRET_1", " end",
            ])
    }

    @Test("messages of failures have no secrets")
    func failures() async throws {
        stub.on("/", .failure(.init(.cannotFindHost, message: "cannot reach http://a/?token=abc")))
        let text = try await place.record(from: stub) {
            _ = await $0.outcome("GET", "http://a.test/?token=abc")
        }
        #expect(!text.contains("abc") && text.contains("token=SECRET_1"))
    }
}

/// A string in its JSON encoding.
private struct JSONEncoded {
    let text: String

    init(_ string: String) {
        text = "\"\(string.replacingOccurrences(of: "\"", with: "\\\""))\""
    }
}
