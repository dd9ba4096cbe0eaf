import Bluebonnet
import Testing

@testable import BluebonnetTesting

@Suite("Secrets in unusual places on cassettes", .timeLimit(.minutes(1)))
struct CassetteLeakTests {
    private let stub = StubTransport()
    private let place = TemporaryCassette()

    @Test(
        "incomplete JSON, and JSON within other text, is searched for secret names",
        arguments: [
            #"{"access_token":"abcdefgh1234","x":"y"#, #"{"access_token" : "abcdefgh1234"#,
            "{\"a\":1}\n{\"password\":\"abcdefgh1234\"}\n", #"data: {"token":"abcdefgh1234"}"#,
            #"{"token":"a","token":"abcdefgh1234"}"#, #")]}'{"secret":"abcdefgh1234"}"#,
            #"{"log":"{\"token\":\"abcdefgh1234\"}"}"#,
            "{\"token\":\"abcdefgh1234\",\"a\":\"\u{7F}\"}",
        ])
    func notWholeJSON(body: String) async throws {
        stub.on("/", .text(body, type: "application/json"))
        let text = try await place.record(from: stub) {
            _ = await $0.outcome("GET", "http://a.test/")
        }
        #expect(!text.contains("abcdefgh") && text.contains("SECRET_1"), "\(text)")
    }

    enum Trap: String, CaseIterable, Sendable { case items, nestedItems, escapedMarks }

    @Test(
        "a body crafted to be slow to search is searched at once", arguments: Trap.allCases)
    func made(trap: Trap) {
        let text =
            switch trap {
            case .items: String(repeating: "?a=", count: 50_000)
            case .nestedItems:
                String(repeating: "?a=", count: 5_000) + String(repeating: "%25", count: 50_000)
            case .escapedMarks: #"""# + String(repeating: #"\""#, count: 50_000)
            }
        let start = ContinuousClock.now
        #expect(Redactor().findings(in: Array(text.utf8), as: [.text, .form]).isEmpty)
        // With the square of the length it would be many minutes.
        #expect(ContinuousClock.now - start < .seconds(30))
    }

    @Test("a body that breaks off within a character is searched too")
    func cutInCharacter() async throws {
        let body = Data(#"{"token":"abcdefgh1234","name":"é"#.utf8).dropLast()
        stub.on("/", .data(body, type: "application/json"))
        _ = try await place.record(from: stub) { _ = await $0.outcome("GET", "http://a.test/") }
        let outcome = await (try Cassette(at: place.file, mode: .replay))
            .outcome("GET", "http://a.test/")
        #expect(outcome.text.hasPrefix(#"{"token":"SECRET_1","name""#))
    }

    @Test("further secrets are replaced in numbers of JSON as well")
    func numbers() async throws {
        stub.on("/", .text(#"{"card":4111111111111111}"#, type: "application/json"))
        let redaction = Redactor { text in
            text.contains("4111111111111111") ? ["4111111111111111"] : []
        }
        let text = try await place.record(from: stub, redaction) {
            _ = await $0.outcome("GET", "http://a.test/")
        }
        #expect(!text.contains("4111") && text.contains(#""card": "SECRET_1""#), "\(text)")
    }

    @Test(
        "secrets of URLs in URLs, and with punctuation, are replaced whole",
        arguments: [
            (
                "https://sso/login?next=https://ann:pw@app/cb?access_token=abc",
                ["ann", "pw", "abc"]
            ),
            ("http://a.test/?password=ab,cdef&page=1", ["ab,", "cdef"]),
            ("https://ann:p,w'x@host/", ["ann", "p,", "w'x"]),
            (
                "https://a.test/?redirect_uri=https%3A%2F%2Fa%2F%3Ftoken%3Dabcdefgh1234",
                ["abcdefgh"]
            ),
        ])
    func urls(url: String, secrets: [String]) async throws {
        stub.on("/", .redirect(to: url))
        let text = try await place.record(from: stub) {
            _ = await $0.outcome("GET", "http://a.test/")
        }
        for secret in secrets { #expect(!text.contains(secret), "\(text)") }
    }

    @Test("punctuation of a sentence behind a URL stays")
    func sentence() async throws {
        stub.on("/", .text("See http://h/?token=abc, or 'http://h/?token=def' there"))
        let text = try await place.record(from: stub) {
            _ = await $0.outcome("GET", "http://a.test/")
        }
        #expect(text.contains("See http://h/?token=SECRET_1, or 'http://h/?token=SECRET_2' there"))
    }

    @Test(
        "a known secret is found percent-encoded",
        arguments: ["tok-1%2Fabcdef", "tok%2d1%2fabcdef", "tok-1/abcdef"])
    func encoded(form: String) async throws {
        stub.on("/**", .status(200))
        let text = try await place.record(from: stub) {
            _ = await $0.outcome(
                "GET", "http://a.test/?state=\(form)", ["Authorization": "Bearer tok-1/abcdef"])
        }
        #expect(!text.contains("abcdef"), "\(text)")
    }

    @Test("a cassette with a secret in the host can be replayed")
    func host() async throws {
        stub.on("/x", .text("x"))
        let redaction = Redactor { _ in ["acme"] }
        let text = try await place.record(from: stub, redaction) {
            _ = await $0.outcome("GET", "https://acme.api.test/x")
        }
        #expect(!text.contains("acme"))
        let replay = try Cassette(at: place.file, mode: .replay, redaction: redaction)
        #expect(await replay.outcome("GET", "https://acme.api.test/x").text == "x")
        try replay.verify()
    }

    @Test(
        "what is secret only by an object around it, or a cookie's word, stays elsewhere",
        arguments: [
            #"{"auth":{"provider":"https://example.org"}}"#, #"{"session":{"status":"complete"}}"#,
            "",
        ])
    func ordinaryWords(body: String) async throws {
        stub.on("/first", .text(body, type: "application/json").header("Set-Cookie", "a=accepted"))
        stub.on("/second", .json(["status": "complete", "cookies": 1, "as": "accepted"]))
        let text = try await place.record(from: stub) {
            _ = await $0.outcome("GET", "https://example.org/first")
            _ = await $0.outcome("GET", "https://example.org/second")
        }
        #expect(text.contains(#""url": "https://example.org/second""#), "\(text)")
        #expect(text.contains(#""status": "complete""#) && text.contains(#""as": "accepted""#))
    }

    @Test("a key that is the user of a Basic login is found elsewhere")
    func basicUser() async throws {
        stub.on("/", .text("your key is sk_live_12345"))
        let login = Data("sk_live_12345:".utf8).base64EncodedString()
        let text = try await place.record(from: stub) {
            _ = await $0.outcome("GET", "http://a.test/", ["Authorization": "Basic \(login)"])
        }
        #expect(!text.contains("sk_live"), "\(text)")
    }

    @Test("what ends after the first verification is saved by the next one")
    func verifiedTwice() async throws {
        stub.on("/slow", .silence)
        let cassette = try Cassette(at: place.file, mode: .recordMissing, recordingFrom: stub)
        let exchange = Exchange(method: "GET", url: "http://a.test/slow", pool: Exchange.Pool())
        let transfer = cassette.start(exchange, reportingTo: SilentSink())
        #expect(throws: CassetteError.self) { try cassette.verify() }
        transfer.cancel()
        try cassette.verify()
        #expect(try place.text.contains("http://a.test/slow"))
    }
}
