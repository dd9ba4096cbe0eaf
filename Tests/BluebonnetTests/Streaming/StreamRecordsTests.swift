import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("Records of a response, in loops", .timeLimit(.minutes(1)))
struct StreamRecordsTests {
    private let stub = StubTransport()
    private let manager: HTTPSessionManager

    init() {
        var configuration = SessionConfiguration()
        configuration.clock = ManualClock()
        manager = HTTPSessionManager(
            baseURL: URL(string: "http://h/"), configuration: configuration, transport: stub)
    }

    private func answer(
        _ text: String, type: String = "text/plain", at path: String = "/**", piece: Int? = nil
    ) {
        let response = StubResponse.data(Data(text.utf8), type: type)
        stub.on(path, piece.map { response.inPieces(of: $0) } ?? response)
    }

    private func all<Record>(_ records: StreamRecords<Record>) async -> ([Record], BluebonnetError?)
    {
        var found: [Record] = []
        do throws(BluebonnetError) {
            for try await record in records { found.append(record) }
            return (found, nil)
        } catch {
            return (found, error)
        }
    }

    @Test(
        "lines, events and lines of JSON are read, in pieces of any size", arguments: [1, 3, 1000])
    func kinds(piece: Int) async {
        answer("a\r\n\r\nb\rc", at: "/lines", piece: piece)
        #expect(await all(manager.lines("lines")).0 == ["a", "", "b", "c"])
        answer(
            "id: 1\ndata: a\n\ndata: b\n\n", type: "text/event-stream", at: "/events", piece: piece)
        #expect(await all(manager.events("events")).0.map { $0.id + $0.data } == ["1a", "1b"])
        answer("{\"a\":1}\r\n\n{\"a\":2}", at: "/json", piece: piece)
        #expect(
            await all(manager.jsonLines("json", as: [String: Int].self)).0 == [["a": 1], ["a": 2]])
    }

    @Test(
        "a connection that is lost within a record names it, after the records before",
        arguments: [
            ("a\nb\nccc", StreamFraming.lines, 2, 4), ("{\"a\":1}\n{\"a", .jsonLines, 1, 8),
            ("data: a\n\n:\ndata: b\n", .events, 1, 11), ("data: a\n\nda", .events, 1, 9),
            ("\u{1E}1\n\u{1E}[2", .jsonSequence, 1, 4),
            ("\u{1}a\u{2}b", .lengthPrefixed(), 1, 2), ("\u{1}a\u{81}", .lengthPrefixed(), 1, 2),
        ])
    func cutRecord(text: String, framing: StreamFraming, number: Int, start: Int) async throws {
        let body = Data(text.unicodeScalars.map { UInt8($0.value) })
        for isCut in [true, false] {
            let count = isCut ? body.count : start
            stub.on("/\(isCut)", .data(body.prefix(count)).cut(after: count))
            let stream = try await manager.stream("\(isCut)")
            let (records, error) = await all(stream.records(framing: framing))
            #expect(records.count == number)
            let text = try #require(error).description
            let part = "; record \(number + 1), at byte \(start), is incomplete"
            #expect(text.contains(part) == isCut, "\(text)")
        }
    }

    @Test("a call sends its method, parameters and fields, and asks for events")
    func request() async {
        answer("data: a\n\n", type: "text/event-stream")
        let headers: HTTPHeaders = ["X-A": "1"]
        _ = await all(manager.events("x", method: .post, parameters: ["a": 1], headers: headers))
        _ = await all(manager.events("x", headers: ["Accept": "text/event-stream, */*;q=0.1"]))
        let requests = stub.requests
        #expect(requests[0].method == .post && requests[0].text == "a=1")
        #expect(requests[0].headers["X-A"] == "1")
        #expect(
            requests.map { $0.headers["Accept"] } == [
                "text/event-stream", "text/event-stream, */*;q=0.1",
            ])
    }

    @Test("a record that cannot be read names its number and place, after the ones before it")
    func unreadable() async {
        answer("{\"a\":1}\n{\"a\":\"x\"}\n{\"a\":3}\n")
        let (values, error) = await all(manager.jsonLines("x", as: [String: Int].self))
        #expect(values == [["a": 1]])
        guard case .unreadableBody(let text, let context)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(text.hasPrefix("record 2, at byte 8: "), "\(text)")
        #expect(context.data == Data("{\"a\":\"x\"}".utf8) && context.head?.statusCode == 200)
        #expect(context.request?.url?.path == "/x")
        #expect(await until { manager.tasks.isEmpty })
    }

    @Test("a bad element of a JSON sequence is an error, after which the next element follows")
    func sequence() async throws {
        answer("\u{1E}{\"a\":1}\n\u{1E}{\"a\":\n\u{1E}7\u{1E}{\"a\":2}\n")
        var elements = try await manager.stream("x")
            .records(as: [String: Int].self, framing: .jsonSequence).makeAsyncIterator()
        #expect(try await elements.next() == ["a": 1])
        await #expect(throws: BluebonnetError.self) { try await elements.next() }
        await #expect(throws: BluebonnetError.self) { try await elements.next() }
        #expect(try await elements.next() == ["a": 2])
        #expect(try await elements.next() == nil)
    }

    @Test("the head is there before the first record, and the request is sent once")
    func head() async throws {
        stub.on("/x", .data(Data("a".utf8), type: "text/plain").header("X-B", "2"))
        var lines = manager.lines("x").makeAsyncIterator()
        #expect(try await lines.head()?.headers["X-B"] == "2")
        #expect(try await lines.next() == "a")
        #expect(try await lines.next() == nil)
        #expect(try await lines.head() == nil && stub.requests.count == 1)
    }

    @Test("a cancel ends the loop although records are ready", arguments: [false, true])
    func cancelled(isLastRecordThere: Bool) async throws {
        let last = isLastRecordThere ? "data: [DONE]\n\n" : ""
        answer("data: 1\n\ndata: 2\n\n\(last)")
        let records = try await manager.stream("x")
            .records(as: Int.self, framing: .events(until: "[DONE]"))
        let reader = Task { () -> ([Int], BluebonnetError?) in
            var found: [Int] = []
            do throws(BluebonnetError) {
                for try await record in records {
                    found.append(record)
                    withUnsafeCurrentTask { $0?.cancel() }
                }
                return (found, nil)
            } catch {
                return (found, error)
            }
        }
        let (found, error) = await reader.value
        #expect(found == [1] && error?.isCancelled == true)
        #expect(await until { manager.tasks.isEmpty })
    }

    @Test("the data that ends the events ends the loop, although the response goes on")
    func lastData() async throws {
        struct Chat: APIStream {
            typealias Element = [String: Int]
            let path = "/chat"
            let framing = StreamFraming.events(until: "[DONE]")
        }
        let text = "data: {\"a\":1}\n\ndata: [DONE]\n\n"
        stub.on(
            "/chat",
            .data(Data((text + text).utf8), type: "text/event-stream").stalled(
                after: text.utf8.count))
        let client = APIClient(baseURL: try #require(manager.baseURL), session: manager)
        #expect(await all(client.stream(Chat())).0 == [["a": 1]])
        #expect(stub.requests[0].headers["Accept"] == "text/event-stream")
        // The clock stands still, so the rest of the stream would be awaited forever.
        manager.invalidate(cancelingTasks: true, resetSession: false)
    }

    @Test("a response that ends before the data that ends the events fails the loop at its end")
    func withoutLastData() async throws {
        answer("data: 1\n\ndata: 2\n\n")
        let records = try await manager.stream("x")
            .records(as: Int.self, framing: .events(until: "[DONE]"))
        let (found, error) = await all(records)
        #expect(found == [1, 2])
        #expect(error?.urlErrorCode == .networkConnectionLost)
        let text = error?.errorDescription ?? ""
        #expect(
            text.contains("ends before the event \"[DONE]\"") && text.contains("[GET http://h/x]"),
            "\(text)")
    }

    @Test("a document in place of events is refused, also where they are decoded")
    func noEvents() async throws {
        struct Chat: APIStream {
            typealias Element = [String: Int]
            let path = "/chat"
            let framing = StreamFraming.events
        }
        answer("{\"error\":\"no credit\"}", type: "application/json")
        let client = APIClient(baseURL: try #require(manager.baseURL), session: manager)
        for error in [await all(client.stream(Chat())).1, await all(manager.events("x")).1] {
            guard case .unacceptableContentType("application/json", _, let context)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(context.data == Data("{\"error\":\"no credit\"}".utf8))
        }
    }

    @Test("a second loop over the records of one response gets an error")
    func twoLoops() async throws {
        answer("1\n2\n")
        let lines = try await manager.stream("x").lines()
        var first = lines.makeAsyncIterator()
        #expect(try await first.next() == "1")
        await #expect(throws: BluebonnetError.self) {
            for try await _ in lines {}
        }
        #expect(try await first.next() == "2")
    }

    @Test("records and values are sent as the framing writes them, and read again")
    func uploads() async throws {
        let framings: [StreamFraming] = [
            .lines, .jsonLines, .jsonSequence, .events, .lengthPrefixed(),
            .lengthPrefixed(.bigEndian32),
        ]
        let records = [
            Data("{\"a\":1}".utf8), Data("[\(String(repeating: "7,", count: 200))7]".utf8),
        ]
        for framing in framings {
            let stub = StubTransport()
            stub.on("/x") { .data($0.body, type: framing.isOfEvents ? "text/event-stream" : "a/b") }
            let manager = HTTPSessionManager(baseURL: URL(string: "http://h/"), transport: stub)
            let body = AsyncStream<Data> { source in
                for record in records { source.yield(record) }
                source.finish()
            }
            let sent = try await manager.upload(.records(body, framing: framing), to: "x")
            var frames = StreamFrames(framing)
            var found: [StreamFrames.Frame] = []
            try frames.add(sent, to: &found)
            try frames.finish(to: &found)
            let read = try found.map { try $0.get().record }
            let trimmed = read.map { $0.last == UInt8(ascii: "\n") ? $0.dropLast() : $0 }
            #expect(trimmed == records, "\(framing)")
        }
        stub.on("/values", .status(204))
        let values = AsyncStream<[String: Int]> { source in
            source.yield(["a": 1])
            source.yield(["a": 2])
            source.finish()
        }
        try await manager.upload(.jsonLines(values), to: "values")
        #expect(stub.requests[0].text == "{\"a\":1}\n{\"a\":2}\n")
    }

    @Test("a record that would be read as two fails its upload")
    func brokenRecord() async {
        stub.on("/x", .status(204))
        let records = AsyncStream<Data> { source in
            source.yield(Data("a\nb".utf8))
            source.finish()
        }
        await #expect(throws: BluebonnetError.self) {
            try await manager.upload(.records(records, framing: .lines), to: "x")
        }
    }
}
