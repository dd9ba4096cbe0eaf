import Bluebonnet
import BluebonnetTesting
import Testing

@Suite("Matching requests with interactions", .timeLimit(.minutes(1)))
struct CassetteMatchingTests {
    private let place = TemporaryCassette()

    private func interaction(
        _ method: String, _ url: String, headers: String = "", body: String = "", answer: String
    ) -> String {
        """
        {"request": {"method": "\(method)", "url": "\(url)", "headers": [\(headers)]\(body)},
        "response": {"status": 200, "body": {"text": "\(answer)"}}}
        """
    }

    private func cassette(
        _ interactions: [String], _ matching: CassetteMatching = .strict
    ) throws -> Cassette {
        try place.write(interactions: interactions.joined(separator: ",\n"))
        return try Cassette(at: place.file, mode: .replay, matching: matching)
    }

    private let anyOrder = {
        var matching = CassetteMatching.strict
        matching.comparesOrder = false
        return matching
    }()

    @Test(
        "equivalent URLs match",
        arguments: [
            ("http://a.test/x?a=1&b=2", "http://a.test/x?b=2&a=1", true),
            ("http://a.test/x?a=1&a=2", "http://a.test/x?a=2&a=1", false),
            ("http://a.test/x?a", "http://a.test/x?a=", false),
            ("http://a.test", "http://a.test/", true),
            ("HTTP://A.test:80/", "http://a.test/", true),
            ("https://a.test:443/", "https://a.test/", true),
            ("http://a.test:443/", "http://a.test/", false),
            ("http://a.test/x#f", "http://a.test/x", true),
            ("http://a.test/X", "http://a.test/x", false),
            ("http://a.test/x/", "http://a.test/x", false),
            ("http://a.test/SECRET_1/x?t=SECRET_2", "http://a.test/any/thing/x?t=", true),
            ("http://a.test/SECRET_1/x", "http://a.test/any/y", false),
        ])
    func urls(recorded: String, actual: String, isSame: Bool) async throws {
        let cassette = try cassette([interaction("GET", recorded, answer: "a")])
        let outcome = await cassette.outcome("GET", actual)
        #expect((outcome.failure == nil) == isSame)
        #expect(isSame || outcome.failure?.code == .resourceUnavailable)
    }

    @Test(
        "bodies match as JSON values, as text, or as bytes",
        arguments: [
            (#"{"json": {"a": 1, "b": ["x", null]}}"#, #"{"b":["x",null],"a":1}"#, nil as String?),
            (#"{"json": {"a": 1}}"#, #"{"a":2}"#, "the body has 2 at $.a, recorded 1"),
            (#"{"json": {"a": 1}}"#, #"{"a":"1"}"#, #"the body has "1" at $.a, recorded 1"#),
            (
                #"{"json": {"a": {"b": [1, 2]}}}"#, #"{"a":{"b":[1]}}"#,
                "the body has 1 elements at $.a.b, recorded 2"
            ),
            (#"{"json": {"a": [1, 2]}}"#, #"{"a":[1,3]}"#, "the body has 3 at $.a[1], recorded 2"),
            (
                #"{"json": {"a": 1}}"#, #"{"a":1,"b":2}"#,
                #"the body has "b" at $, which was not recorded"#
            ),
            (#"{"json": {"a": 1, "b": 2}}"#, #"{"a":1}"#, #"the body has no "b" at $"#),
            (#"{"json": {"a": 1}}"#, "a=1", "the body is not JSON, but the recorded body is"),
            (#"{"json": {"t": "x SECRET_1"}}"#, #"{"t":"x anything"}"#, nil),
            (#"{"text": "a=1&p=SECRET_1&b=2"}"#, "a=1&p=any&b=2", nil),
            (#"{"text": "one\ntwo"}"#, "one\ntoo", "the body differs in line 2: too, recorded two"),
            (#"{"text": "one"}"#, "one\ntwo", "the body has 2 lines, recorded 1"),
            (#"{"base64": "AAEC"}"#, "\u{0}\u{1}\u{2}", nil),
            (#"{"base64": "AAEC"}"#, "\u{0}\u{1}\u{3}", "the body differs at byte 3 of 3"),
            (#"{"base64": "AAEC"}"#, "", "the body has 0 bytes, recorded 3"),
            (#"{"unread": true}"#, "anything", nil),
        ])
    func bodies(recorded: String, actual: String, difference: String?) async throws {
        let interaction = interaction(
            "PUT", "http://a.test/", body: ", \"body\": \(recorded)", answer: "a")
        let strict = try cassette([interaction])
        let outcome = await strict.outcome("PUT", "http://a.test/", body: .data(Data(actual.utf8)))
        #expect(outcome.failure == nil || difference != nil, "\(outcome.failure?.message ?? "")")
        if let difference {
            #expect(
                outcome.failure?.message.contains(": \(difference). Fix") == true,
                "\(outcome.failure?.message ?? "none")")
        }
        let lenient = try cassette([interaction], .lenient)
        let other = await lenient.outcome("PUT", "http://a.test/", body: .data(Data(actual.utf8)))
        #expect(other.failure == nil)
    }

    @Test("only chosen header fields are compared")
    func headers() async throws {
        var matching = CassetteMatching.strict
        matching.headers = ["accept", "Authorization"]
        let interactions = [
            interaction(
                "GET", "http://a.test/", headers: #""Accept: a", "Authorization: Bearer SECRET_1""#,
                answer: "a")
        ]
        let fitting = try cassette(interactions, matching)
        let fields = ["Accept": "a", "Authorization": "Bearer x", "X-Other": "1"]
        #expect(await fitting.outcome("GET", "http://a.test/", fields).text == "a")
        let cassette = try cassette(interactions, matching)
        let wrong = await cassette.outcome(
            "GET", "http://a.test/", ["Accept": "b", "Authorization": "Bearer x"])
        #expect(
            wrong.failure?.message.contains("the header field accept is b, recorded a. Fix")
                == true)
        let missing = await cassette.outcome("GET", "http://a.test/", ["Accept": "a"])
        #expect(
            missing.failure?.message.contains("Authorization is missing, recorded Bearer SECRET_1")
                == true)
    }

    @Test("parts that are excluded from the comparison can differ")
    func parts() async throws {
        let interactions = [interaction("GET", "http://a.test/x?page=1", answer: "a")]
        var matching = CassetteMatching.strict
        matching.comparesOrigin = false
        #expect(
            try await cassette(interactions, matching).outcome("GET", "http://b.test/x?page=1").text
                == "a")
        #expect(
            try await cassette(interactions, matching).outcome("GET", "http://b.test/x").failure
                != nil)
        matching.comparesQuery = false
        #expect(
            try await cassette(interactions, matching).outcome("GET", "http://b.test/x").text == "a"
        )
        #expect(
            try await cassette(interactions, matching).outcome("HEAD", "http://b.test/x").failure
                != nil)
    }

    @Test("requests match in order or in any order, and each interaction answers one")
    func order() async throws {
        let interactions = ["1", "2", "1"].enumerated().map {
            interaction("GET", "http://a.test/\($1)", answer: "\($0)")
        }
        let strict = try cassette(interactions)
        let early = await strict.outcome("GET", "http://a.test/2")
        #expect(
            early.failure?.message.contains(
                "interaction 2 (line 6) does, but interaction 1 (line 4), GET http://a.test/1, comes before it"
            )
                == true)
        var texts: [String] = []
        for path in ["1", "2", "1"] {
            texts.append(await strict.outcome("GET", "http://a.test/\(path)").text)
        }
        #expect(texts == ["0", "1", "2"])
        let late = await strict.outcome("GET", "http://a.test/1")
        #expect(
            late.failure?.message.contains("interaction 1 (line 4) does, but has already answered")
                == true)

        let cassette = try cassette(interactions, anyOrder)
        texts = []
        for path in ["2", "1", "1"] {
            texts.append(await cassette.outcome("GET", "http://a.test/\(path)").text)
        }
        #expect(texts == ["1", "0", "2"])
        try cassette.verify()
    }

    @Test("a request without a match fails with the nearest interaction, and so does verify()")
    func nearest() async throws {
        let cassette = try cassette(
            [
                interaction("GET", "http://a.test/users?page=1", answer: "a"),
                interaction(
                    "POST", "http://a.test/users?page=1", body: #", "body": {"json": {"a": 1}}"#,
                    answer: "b"),
                interaction("POST", "http://a.test/orders", answer: "c"),
            ], anyOrder)
        let outcome = await cassette.outcome(
            "POST", "http://u:p@a.test/users?page=2&token=abc", body: .data(Data(#"{"a":2}"#.utf8)))
        #expect(outcome.failure?.code == .resourceUnavailable && outcome.end?.wasSent == nil)
        let message =
            "no interaction of the cassette \(place.file.path) matches "
            + "POST http://SECRET_1@a.test/users?page=2&token=SECRET_2: "
            + "the nearest is interaction 2 (line 6), POST http://a.test/users?page=1: "
            + "the query has page=2, recorded page=1; the query has token=SECRET_2, recorded no token; "
            + "the body has 2 at $.a, recorded 1. Fix the request, or record it with "
            + "BLUEBONNET_CASSETTES=record-missing"
        #expect(outcome.failure?.message == message)
        let error = try #require(throws: CassetteError.self) { try cassette.verify() }
        #expect(
            error.problems == [
                message,
                "no request matched interaction 1 (line 4), GET http://a.test/users?page=1",
                "no request matched interaction 2 (line 6), POST http://a.test/users?page=1",
                "no request matched interaction 3 (line 8), POST http://a.test/orders",
            ])
        #expect("\(error)".hasPrefix("\(place.file.path): no interaction"))
    }

    @Test("on an empty cassette there is no nearest interaction")
    func empty() async throws {
        let cassette = try cassette([])
        let outcome = await cassette.outcome("GET", "http://a.test/")
        #expect(outcome.failure?.message.contains("has no interactions") == true)
    }

    @Test("a request with an unreadable body fails with that error and uses up its interaction")
    func brokenBody() async throws {
        let cassette = try cassette([interaction("PUT", "http://a.test/", answer: "a")])
        let stream = Exchange.BodyStream(length: nil, isReplayable: false) {
            () throws(Exchange.Failure) in
            throw Exchange.Failure(.requestBodyStreamExhausted, message: "gone")
        }
        let outcome = await cassette.outcome("PUT", "http://a.test/", body: .stream(stream))
        #expect(outcome.failure?.message == "gone")
        try cassette.verify()
    }
}
