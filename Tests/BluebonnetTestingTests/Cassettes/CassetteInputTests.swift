import Bluebonnet
import BluebonnetTesting
import Testing

@Suite("Malformed cassettes", .timeLimit(.minutes(1)))
struct CassetteInputTests {
    private let place = TemporaryCassette()

    /// A cassette with one interaction, which begins on line 4.
    private static func interaction(
        request: String = #""method": "GET", "url": "http://a.test/""#,
        response: String = #""status": 200"#, others: String = ""
    ) -> String {
        """
        {
        "request": {
        \(request)
        },
        "response": {
        \(response)
        }\(others)
        }
        """
    }

    @Test("a cassette with only the required members is valid")
    func little() async throws {
        try place.write(interactions: Self.interaction())
        let cassette = try Cassette(at: place.file, mode: .replay)
        let outcome = await cassette.outcome("GET", "http://a.test/")
        #expect(outcome.head?.statusCode == 200 && outcome.body.isEmpty && outcome.failure == nil)
        try cassette.verify()
    }

    @Test(
        "an error has the line number and describes the problem",
        arguments: [
            (interaction(response: #""status": 9000"#), 9, #""status" is 9000, but must be"#),
            (interaction(response: #""status": "200""#), 9, #""status" is a string"#),
            (interaction(response: #""headers": []"#), 8, #"no "status""#),
            (
                interaction(response: "\"status\": 200, \"headers\": [\n\"A: b\",\n\"Nonsense\"]"),
                11, "no colon"
            ),
            (interaction(response: "\"status\": 200, \"headers\": [\n\"A b: c\"]"), 10, "a valid"),
            (
                interaction(response: "\"status\": 200, \"headers\": [\n\"A: b\\nC: d\"]"), 10,
                "control character"
            ),
            (interaction(response: "\"status\": 200, \"headers\": [\n7]"), 10, "is a number"),
            (interaction(response: "\"status\": 200, \"headers\": {}"), 9, "must be an array"),
            (
                interaction(response: "\"status\": 200,\n\"colour\": 1"), 10,
                #""colour" is not a key of a response"#
            ),
            (
                interaction(response: "\"status\": 200,\n\"body\": {\"base64\": \"a?\"}"), 10,
                "not Base64"
            ),
            (
                interaction(
                    response: "\"status\": 200,\n\"body\": {\"base64\": [\"AAAA\",\n\"=A\"]}"), 11,
                "not Base64"
            ),
            (
                interaction(response: "\"status\": 200,\n\"body\": {\"text\": 1}"), 10,
                "a string or an array"
            ),
            (interaction(response: "\"status\": 200,\n\"body\": {}"), 10, "none of"),
            (interaction(response: "\"status\": 200,\n\"body\": \"a\""), 10, "must be an object"),
            (
                interaction(response: "\"status\": 200,\n\"body\": {\"json\": 1, \"text\": \"a\"}"),
                10, "not allowed with"
            ),
            (
                interaction(response: "\"status\": 200,\n\"milliseconds\": -1"), 10,
                "whole number from 0"
            ),
            (interaction(response: "\"status\": 200,\n\"version\": 1"), 10, "must be a string"),
            (interaction(request: #""method": "GET""#), 5, #"no "url""#),
            (
                interaction(request: "\"method\": \"G T\",\n\"url\": \"http://a.test/\""), 6,
                "not an HTTP method"
            ),
            (interaction(request: "\"method\": \"GET\",\n\"url\": \"/a\""), 7, "not an absolute"),
            (
                interaction(request: "\"method\": \"GET\",\n\"url\": \"ftp://a/\""), 7,
                "not an absolute"
            ),
            (
                interaction(others: ",\n\"failure\": {\"code\": 1, \"message\": \"a\"}"), 11,
                "a failure cannot be read"
            ),
            (interaction(others: ",\n\"failure\": {\"code\": -1004}"), 11, #"no "message""#),
            (
                interaction(
                    others: ",\n\"failure\": {\"code\": -1004, \"message\": \"a\",\n\"why\": 1}"),
                12, #""why" is not a key"#
            ),
            (interaction(others: ",\n\"cancelled\": 1"), 11, "true or false"),
            ("{\"request\": {\"method\": \"GET\", \"url\": \"http://a.test/\"}}", 4, "neither"),
            ("{\"response\": {\"status\": 200}}", 4, #"no "request""#),
            ("7", 4, "is a number"), ("{\n\"request\": [1,\n}", 6, "expected a value, but found }"),
        ])
    func lines(interaction: String, line: Int, message: String) throws {
        try place.write(interactions: interaction)
        let error = try #require(throws: CassetteError.self) {
            try Cassette(at: place.file, mode: .replay)
        }
        #expect(error.line == line, "\(error)")
        #expect("\(error)".contains(message), "\(error)")
        #expect("\(error)".hasPrefix("\(place.file.path):\(line): "))
        #expect("\(error)".contains("BLUEBONNET_CASSETTES=record-anew"))
    }

    @Test(
        "a file that is not a cassette is an error",
        arguments: [
            ("", 1, "truncated"), ("hello", 1, "expected a value, but found h"),
            (
                "{\n\"cassetteVersion\": 2,\n\"new\": 1}", 2,
                "version 2, but this library reads version 1"
            ),
            ("{\n\"cassetteVersion\": \"1\"}", 2, "version \"1\""),
            ("{\"interactions\": []}", 1, "no \"cassetteVersion\""),
            ("{\"cassetteVersion\": 1}", 1, "no \"interactions\""),
            ("{\"cassetteVersion\": 1,\n\"interactions\": []", 2, "truncated"),
            ("{\"cassetteVersion\": 1,\n\"interactions\": {}}", 2, "must be an array"),
            (
                "{\"cassetteVersion\": 1, \"interactions\": [],\n\"more\": 1}", 2,
                "\"more\" is not a key of the cassette"
            ),
        ])
    func files(text: String, line: Int, message: String) throws {
        try place.write(text)
        for mode in [CassetteMode.replay, .recordMissing] {
            let error = try #require(throws: CassetteError.self) {
                try Cassette(at: place.file, mode: mode)
            }
            #expect(error.line == line, "\(error)")
            #expect("\(error)".contains(message), "\(error)")
        }
        #expect(try Cassette(at: place.file, mode: .recordAnew).problems == [])
    }

    @Test("a cassette that is cut off anywhere is an error and never replayed in part")
    func truncated() throws {
        let whole = "{\"cassetteVersion\": 1, \"interactions\": [\(Self.interaction())]}"
        for count in 0..<whole.utf8.count {
            try place.write(String(whole.prefix(count)))
            #expect(throws: CassetteError.self, "\(count)") {
                try Cassette(at: place.file, mode: .replay)
            }
        }
    }

    @Test("a file that is missing or unreadable is an error that suggests a solution")
    func unreadable() throws {
        let missing = try #require(throws: CassetteError.self) {
            try Cassette(at: place.file, mode: .replay)
        }
        #expect("\(missing)".contains("BLUEBONNET_CASSETTES=record-missing"))
        try FileManager.default.createDirectory(at: place.file, withIntermediateDirectories: true)
        for mode in [CassetteMode.replay, .recordMissing] {
            let error = try #require(throws: CassetteError.self) {
                try Cassette(at: place.file, mode: mode)
            }
            #expect("\(error)".contains("cannot be read"))
        }
    }
}
