import BluebonnetTestSupport
import Foundation
import Testing

@testable import Bluebonnet

@Suite("Framings, which divide a body into records", .timeLimit(.minutes(5)))
struct FramingTests {
    /// A framing, and what a body may consist of.
    enum Kind: String, CaseIterable {
        case lines, jsonLines, events, jsonSequence, varint, bigEndian32

        var framing: StreamFraming {
            switch self {
            case .lines: .lines
            case .jsonLines: .jsonLines
            case .events: .events
            case .jsonSequence: .jsonSequence
            case .varint: .lengthPrefixed()
            case .bigEndian32: .lengthPrefixed(.bigEndian32)
            }
        }

        var isText: Bool { self != .varint && self != .bigEndian32 }

        private static let invalid: [[UInt8]] = [
            [0xFF], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xED, 0xA0, 0x80],
        ]

        private var parts: [[UInt8]] {
            let texts: [String]
            switch self {
            case .lines: texts = ["\n", "\r\n", "\r", "a", "é", "\u{2028}", "b\nc", ""]
            case .jsonLines:
                texts = ["\n", "\r\n", "\r", "{\"a\":1}", "[]", "7", "\n\n", "\"\u{2029}\""]
            case .events:
                texts = [
                    "\n", "\r\n", "\r", "\n\n", "data", "data:", "data: ", "data:  a", ":", ": c",
                    "event", "event: ", "event:x", "id", "id: ", "id:7", "id: \0", "retry: ",
                    "retry:30", "retry: 1x", "Data: no", "d", "\u{FEFF}", "a", " ", "é",
                ]
            case .jsonSequence:
                texts = [
                    "\u{1E}", "\u{1E}", "\n", "{\"a\":1}", "7", "true", "\"x\"", " ", "[", "é",
                ]
            case .varint, .bigEndian32: return []
            }
            return texts.map { Array($0.utf8) } + Self.invalid
        }

        /// A random body.
        func body(_ random: inout SeededGenerator) -> Data {
            var body: [UInt8] = []
            if self == .events, Bool.random(using: &random) { body += [0xEF, 0xBB, 0xBF] }
            for _ in 0..<Int.random(in: 0...12, using: &random) {
                switch self {
                case .varint, .bigEndian32:
                    let count = Int.random(in: 0...300, using: &random)
                    body += prefix(of: count)
                    body += (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
                default: body += parts.randomElement(using: &random) ?? []
                }
            }
            if !isText, Bool.random(using: &random) { body = body.dropLast() }
            return Data(body)
        }

        private func prefix(of count: Int) -> [UInt8] {
            switch self {
            case .bigEndian32: [0, 0, UInt8(count >> 8), UInt8(count & 0xFF)]
            default: count < 128 ? [UInt8(count)] : [UInt8(count & 0x7F | 0x80), UInt8(count >> 7)]
            }
        }
    }

    /// The records of a body in pieces, as the reference writes them.
    private func records(_ kind: Kind, _ pieces: [Data]) -> [String] {
        if kind == .events {
            var framer = EventFramer(maximumLength: 1_000_000)
            var events: [Framed<ServerSentEvent>] = []
            for piece in pieces {
                do { try framer.add(piece, to: &events) } catch { return ["\(error)"] }
            }
            return events.map {
                let event = $0.record
                let retry = event.retry.map { "\(Int64($0 / .milliseconds(1)))" } ?? "null"
                return "\(event.type)|\(event.data)|\(event.id)|\(retry)"
            }
        }
        var frames = StreamFrames(kind.framing)
        var found: [StreamFrames.Frame] = []
        do throws(ResponseSerializationError) {
            for piece in pieces { try frames.add(piece, to: &found) }
            try frames.finish(to: &found)
        } catch {
            found.append(.failure(error))
        }
        return found.map { frame in
            guard let data = try? frame.get().record else { return "null" }
            return kind.isText ? String(decoding: data, as: UTF8.self) : data.base64EncodedString()
        }
    }

    private func pieces(_ body: Data, at cuts: [Int]) -> [Data] {
        zip([0] + cuts, cuts + [body.count]).map { body[$0..<$1] }
    }

    @Test("records are the same wherever the network cuts a body", arguments: Kind.allCases)
    func cuts(kind: Kind) {
        var random = SeededGenerator(seed: RandomWalks.firstSeed)
        for _ in 0..<RandomWalks.count(300) {
            let body = kind.body(&random)
            let whole = records(kind, [body])
            for place in 0...body.count {
                #expect(
                    records(kind, pieces(body, at: [place])) == whole, "\(Array(body)) \(place)")
            }
            let single = records(kind, body.map { Data([$0]) })
            #expect(single == whole, "\(Array(body))")
            let cuts = (0..<6).map { _ in Int.random(in: 0...body.count, using: &random) }.sorted()
            #expect(records(kind, pieces(body, at: cuts)) == whole, "\(Array(body)) \(cuts)")
        }
    }

    @Test(
        "records are those of a plain program that reads the whole body",
        .enabled(if: PythonScript.isInstalled), arguments: Kind.allCases)
    func reference(kind: Kind) throws {
        let seed = RandomWalks.firstSeed
        var random = SeededGenerator(seed: seed)
        let bodies = (0..<10_000).map { _ in kind.body(&random) }
        let script = PackageDirectory.url(
            of: "Tests/BluebonnetTests/Streaming/Framing/reference.py"
        ).path
        var command = SystemCommand("/usr/bin/python3", [script])
        command.input = Data(
            bodies.map { "[\"\(kind.rawValue)\", \"\($0.base64EncodedString())\"]\n" }.joined().utf8
        )
        let output = try command.output().split(separator: UInt8(ascii: "\n"))
        #expect(output.count == bodies.count)
        for (body, line) in zip(bodies, output) {
            let list = try JSONSerialization.jsonObject(with: line, options: .fragmentsAllowed)
            let expected = (list as? [Any] ?? []).map { record -> String in
                guard let event = record as? [Any] else { return record as? String ?? "null" }
                return event.map { $0 is NSNull ? "null" : "\($0)" }.joined(separator: "|")
            }
            #expect(records(kind, [body]) == expected, "seed \(seed), \(Array(body))")
        }
    }

    // MARK: Events

    private func events(_ text: String) -> [ServerSentEvent] {
        var framer = EventFramer(maximumLength: 1_000_000)
        var events: [Framed<ServerSentEvent>] = []
        do { try framer.add(Data(text.utf8), to: &events) } catch { Issue.record("\(error)") }
        return events.map(\.record)
    }

    @Test("the examples of the WHATWG text give its events")
    func examples() {
        #expect(
            events(
                "data: This is the first message.\n\ndata: This is the second message, it\ndata: has two lines.\n\ndata: This is the third message.\n\n"
            )
            .map(\.data) == [
                "This is the first message.", "This is the second message, it\nhas two lines.",
                "This is the third message.",
            ])
        let typed = events(
            "event: add\ndata: 73857293\n\nevent: remove\ndata: 2153\n\nevent: add\ndata: 113411\n\n"
        )
        #expect(
            typed.map { "\($0.type) \($0.data)" } == ["add 73857293", "remove 2153", "add 113411"])
        #expect(events("data: YHOO\ndata: +2\ndata: 10\n\n").map(\.data) == ["YHOO\n+2\n10"])
        let ids = events(
            ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n"
        )
        #expect(
            ids == [
                ServerSentEvent(data: "first event", id: "1"),
                ServerSentEvent(data: "second event"),
                ServerSentEvent(data: " third event"),
            ])
        #expect(events("data\n\ndata\ndata\n\ndata:").map(\.data) == ["", "\n"])
        #expect(events("data:test\n\ndata: test\n\n").map(\.data) == ["test", "test"])
    }

    @Test("an id counts without data, and is kept by later events")
    func ids() {
        #expect(
            events("id: 1\n\ndata: a\n\nid: 2\0\ndata: b\n\nid:\ndata: c\n\n").map(\.id) == [
                "1", "1", "",
            ])
        var framer = EventFramer(maximumLength: 100, lastEventID: "7")
        var events: [Framed<ServerSentEvent>] = []
        do { try framer.add(Data("data: a\n\nid: 8\ndata: b\n".utf8), to: &events) } catch {
            Issue.record("\(error)")
        }
        // The second event is not complete, so its id does not count.
        #expect(events.map(\.record.id) == ["7"] && framer.lastEventID == "7")
    }

    @Test("a retry of digits alone counts, whatever its length")
    func retries() throws {
        let times = events(
            "retry: 20\ndata: a\n\nretry: +1\ndata: b\n\nretry:\(String(repeating: "9", count: 50))\ndata: c\n\n"
        )
        .map(\.retry)
        #expect(times[0] == .milliseconds(20) && times[1] == nil)
        #expect(try #require(times[2]) > .seconds(1_000_000))
    }

    // MARK: Bad input

    @Test(
        "a record that is too long names its number and place, after the ones before it",
        arguments: [
            (Kind.lines, "a\nbcdefghijkl\n", 2), (.jsonLines, "7\n{\"abcdefghij\":1}\n", 2),
            (.events, "data:a\n\ndata:abcdefghijklm\n\n", 8),
            (.jsonSequence, "\u{1E}7\n\u{1E}[1,2,3,4,5,6,7,8]\n", 4),
        ])
    func tooLong(kind: Kind, text: String, place: Int) {
        for pieces in [[Data(text.utf8)], text.utf8.map { Data([$0]) }] {
            var frames = StreamFrames(kind.framing.limited(to: 10))
            var found: [StreamFrames.Frame] = []
            let error = #expect(throws: ResponseSerializationError.self) {
                for piece in pieces { try frames.add(piece, to: &found) }
            }
            #expect(found.count == 1)
            #expect(
                error?.reason.hasPrefix("record 2, at byte \(place): it is longer than 10 bytes")
                    == true,
                "\(error?.reason ?? "")")
        }
    }

    @Test("events between comments have no limit together, and each has one over all its lines")
    func eventLimit() throws {
        var framer = EventFramer(maximumLength: 10)
        var events: [Framed<ServerSentEvent>] = []
        for _ in 0..<100 { try framer.add(Data(":1234567\n".utf8), to: &events) }
        try framer.add(Data("data:1234\n\n".utf8), to: &events)
        #expect(events.count == 1)
        #expect(throws: ResponseSerializationError.self) {
            for _ in 0..<3 { try framer.add(Data("data:1234\n".utf8), to: &events) }
        }
    }

    @Test("a length beyond the limit or of more than 64 bits is refused before its message arrives")
    func lengths() {
        let prefixes: [(StreamFraming.LengthPrefix, [UInt8], String)] = [
            (.bigEndian32, [0xFF, 0xFF, 0xFF, 0xFF], "record 1, at byte 0: it is longer"),
            (
                .varint, Array(repeating: 0xFF, count: 9) + [0x01],
                "record 1, at byte 0: it is longer"
            ),
            (.varint, Array(repeating: 0xFF, count: 10), "record 1, at byte 0: its length has"),
        ]
        for (prefix, bytes, message) in prefixes {
            var frames = StreamFrames(.lengthPrefixed(prefix))
            var found: [StreamFrames.Frame] = []
            let error = #expect(throws: ResponseSerializationError.self) {
                try frames.add(Data(bytes), to: &found)
            }
            #expect(error?.reason.hasPrefix(message) == true, "\(error?.reason ?? "")")
        }
    }

    @Test("a body that ends within a message is an error, and one that ends within an event is not")
    func cutEnds() throws {
        var frames = StreamFrames(.lengthPrefixed())
        var found: [StreamFrames.Frame] = []
        try frames.add(Data([1, 65, 2, 66]), to: &found)
        let error = #expect(throws: ResponseSerializationError.self) {
            try frames.finish(to: &found)
        }
        #expect(found.count == 1)
        #expect(error?.reason == "record 2, at byte 2: the body ends within it")
        #expect(events("data: a\n\ndata: b\n").map(\.data) == ["a"])
    }

    @Test(
        "the largest limit refuses no record, and a negative one refuses each",
        arguments: Kind.allCases)
    func limits(kind: Kind) {
        let body: Data =
            switch kind {
            case .varint: Data([1, 65])
            case .bigEndian32: Data([0, 0, 0, 1, 65])
            default: Data("\u{1E}7\n\u{1E}7\r\ndata: 7\n\n7\r".utf8)
            }
        for limit in [Int.max, .min, -1] {
            var frames = StreamFrames(kind.framing.limited(to: limit))
            var found: [StreamFrames.Frame] = []
            let isRefused = (try? frames.add(body, to: &found)) == nil
            #expect(isRefused == (limit < 0) && found.isEmpty == (limit < 0), "\(limit)")
        }
    }

    @Test(
        "a body that ends before the data that ends the events is an error after its records",
        arguments: [
            ("data: 1\n\n", "record 2, at byte 9"), ("", "record 1, at byte 0"),
            ("data: 1\n\ndata: [DON", "record 2, at byte 9"),
            ("data: 1\n\ndata: [DONE]\n", "record 2, at byte 9"),
        ])
    func withoutLastData(body: String, place: String) throws {
        var frames = StreamFrames(.events(until: "[DONE]"))
        var found: [StreamFrames.Frame] = []
        try frames.add(Data(body.utf8), to: &found)
        let error = #expect(throws: ResponseSerializationError.self) {
            try frames.finish(to: &found)
        }
        #expect(error?.reason == "\(place): the body ends before the event \"[DONE]\"")
        #expect(found.count == (body.isEmpty ? 0 : 1))
    }

    @Test("data that ends the events is no record, and nothing after it is")
    func lastData() throws {
        var frames = StreamFrames(.events(until: "[DONE]"))
        var found: [StreamFrames.Frame] = []
        try frames.add(Data("data: 1\n\ndata: [DONE]\n\ndata: 2\n\n".utf8), to: &found)
        try frames.add(Data("data: 3\n\n".utf8), to: &found)
        try frames.finish(to: &found)
        #expect(found.count == 1 && frames.isOver)
    }
}
