import Bluebonnet
import BluebonnetTesting
import Testing

extension ProgramTests {
    @Suite("Programs in the style of Moya's users")
    struct Targets {
        let stage = Stage.shared

        @Test("17 targets and provider")
        func seventeenth() async {
            let first = stage.begin(StubResponse(200, body: Data("Half measures".utf8)))
            program17()
            #expect(await stage.lines(1) == ["Half measures 200"])
            #expect(stage.requests(from: first)[0].headers["Accept"] == "application/json")
            _ = stage.begin(StubResponse(503, body: Data("busy".utf8)))
            program17()
            let line = await stage.lines(1)[0]
            #expect(line.hasSuffix(" 4") && line.contains("503"))
        }

        @Test("18 plugins")
        func eighteenth() async {
            _ = stage.begin(StubResponse(200))
            program18()
            // The request is canceled at once, perhaps before anything is sent.
            let lines = await stage.lines(2)
            #expect(lines.isEmpty || lines == ["true", "false"])
        }

        @Test("19 stubs and mapping")
        func nineteenth() async throws {
            let first = stage.begin()
            try program19()
            let lines = await stage.lines(3)
            #expect(lines.contains("Half measures") && lines.contains("x 1"))
            #expect(stage.requests(from: first).isEmpty)
        }

        @Test("20 uploads, progress, and the async form that Moya lacks")
        func twentieth() async throws {
            let first = stage.begin(.json(["a": "b"], status: 201), .json(["a": "b"], status: 201))
            try await program20()
            let lines = await stage.lines(3)
            #expect(lines.contains { $0.contains("[\"a\": \"b\"]") })
            #expect(lines.contains("1.0 true"))
            let requests = stage.requests(from: first)
            #expect(requests.count == 2)
            #expect(requests.allSatisfy { $0.text.contains("filename=\"a.png\"") })
        }
    }
}
