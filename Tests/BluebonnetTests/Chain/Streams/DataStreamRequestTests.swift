import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet
import BluebonnetChain

@Suite("Streams of the chain", .timeLimit(.minutes(1)))
struct DataStreamRequestTests {
    private struct Event: Decodable, Sendable, Equatable { let id: Int }
    private struct Refused: Error {}

    private let transport = ManualTransport()
    private let log = Recorder<String>()
    private let manager: HTTPSessionManager

    init() {
        manager = HTTPSessionManager(transport: transport)
    }

    /// Returns the description of a stream's event.
    private func text<Value>(
        _ stream: DataStreamRequest.Stream<Value, some Error>,
        _ show: (Value) -> String = { "\($0)" }
    ) -> String {
        switch stream.event {
        case .stream(.success(let value)): show(value)
        case .stream(.failure): "failure"
        case .complete(let completion): "end " + (completion.error.map { "\($0.stage)" } ?? "good")
        }
    }

    private func bytes(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }

    @Test("every stream gets all pieces in order and then the end once")
    func pieces() async {
        let request = manager.streamRequest("http://h/")
        request.responseStream { [log] in log.add("a " + text($0, bytes)) }
        request.responseStreamString { [log] in log.add("b " + text($0)) }
        let transfer = await transport.exchange()
        transfer.respond(200, [:], ["1"])
        await log.wait(for: 2)
        transfer.send(["2", "3"])
        await log.wait(for: 6)
        transfer.end()
        let all = await log.wait(for: 8)
        #expect(all.filter { $0.hasPrefix("a") } == ["a 1", "a 2", "a 3", "a end good"])
        #expect(all.filter { $0.hasPrefix("b") } == ["b 1", "b 2", "b 3", "b end good"])
        #expect(all.suffix(2).allSatisfy { $0.hasSuffix("end good") })
    }

    @Test(
        "an event has its value, result, error or completion, with the completion's details"
    )
    func members() async {
        let streams = Recorder<DataStreamRequest.Stream<String, Never>>()
        manager.streamRequest("http://h/a").responseStreamString { streams.add($0) }
        let transfer = await transport.exchange()
        transfer.respond(200, [:], ["1"])
        transfer.end()
        let all = await streams.wait(for: 2)
        #expect(all[0].value == "1" && all[0].result == .success("1"))
        #expect(all[0].completion == nil && all[1].value == nil && all[1].result == nil)
        let completion = all[1].completion
        #expect(completion?.response?.statusCode == 200 && completion?.error == nil)
        #expect(completion?.request?.url?.path == "/a" && completion?.metrics != nil)
    }

    @Test("a character that is split between pieces is whole in the next string")
    func characters() async {
        manager.streamRequest("http://h/").responseStreamString { [log] in log.add(text($0)) }
        let transfer = await transport.exchange()
        transfer.respond()
        let bytes = Array("aä€😀".utf8)
        for byte in bytes { transfer.send([byte]) }
        transfer.send([0xC3])
        transfer.end()
        #expect(await log.wait(for: 6) == ["a", "ä", "€", "😀", "\u{FFFD}", "end good"])
    }

    @Test("values are lines, whatever the pieces are, and the last can lack its end")
    func lines() async {
        manager.streamRequest("http://h/").responseStreamDecodable(of: Event.self) { [log] in
            log.add(text($0) { "\($0.id)" })
        }
        let transfer = await transport.exchange()
        transfer.respond()
        transfer.send(["{\"id\":", "1}\r\n\n{\"id\"", ":2}\nnonsense\n{\"id\":3}\n{\"id\":4", "}"])
        transfer.end()
        #expect(await log.wait(for: 6) == ["1", "2", "failure", "3", "4", "end good"])
    }

    @Test("with chunk framing, each piece is a value")
    func chunks() async {
        manager.streamRequest("http://h/").responseStreamDecodable(
            of: Event.self, framing: .chunk
        ) { [log] in log.add(text($0) { "\($0.id)" }) }
        let transfer = await transport.exchange()
        transfer.respond(200, [:], [#"{"id":1}"#, #"{"id""#])
        transfer.end()
        #expect(await log.wait(for: 3) == ["1", "failure", "end good"])
    }

    @Test("a line that exceeds the maximum length fails its stream")
    func longLine() async {
        manager.streamRequest("http://h/")
            .responseStream(using: .string, framing: .lines.limited(to: 4)) { [log] in
                log.add(text($0))
            }
        let transfer = await transport.exchange()
        transfer.respond(200, [:], ["abcd\n", "ab", "cde"])
        #expect(await log.wait(for: 3) == ["abcd", "failure", "end serialization"])
    }

    @Test("the CR of CR LF does not count toward the length of a line, wherever pieces end")
    func longestLine() async {
        manager.streamRequest("http://h/")
            .responseStream(using: .string, framing: .lines.limited(to: 4)) { [log] in
                log.add(text($0))
            }
        let transfer = await transport.exchange()
        transfer.respond(200, [:], ["abcd\r\nefgh\r", "\nijkl", "\r"])
        transfer.end()
        #expect(await log.wait(for: 4) == ["abcd", "efgh", "ijkl", "end good"])
    }

    @Test("an incomplete line of an interrupted body is not a value")
    func cutLine() async {
        manager.streamRequest("http://h/").responseStream(using: .string, framing: .lines) {
            [log] in log.add(text($0))
        }
        let transfer = await transport.exchange()
        transfer.respond(200, [:], ["a\nb"])
        transfer.fail(Exchange.Failure(.networkConnectionLost, message: "gone"))
        #expect(await log.wait(for: 2) == ["a", "end transport"])
    }

    @Test("a handler that throws fails the request with its error")
    func throwing() async {
        let errors = Recorder<AFError?>()
        let request = manager.streamRequest("http://h/").responseStreamString { [log] stream in
            if let completion = stream.completion { return errors.add(completion.error) }
            log.add(text(stream))
            throw Refused()
        }
        let transfer = await transport.exchange()
        transfer.respond(200, [:], ["1", "2"])
        let error = await errors.wait(for: 1)[0]
        #expect(error?.underlyingError is Refused && error?.isResponseSerializationError == true)
        #expect(log.all == ["1"] && request.error?.underlyingError is Refused)
    }

    @Test(
        "a handler that throws after the whole body has arrived still fails the request"
    )
    func throwingLate() async {
        let errors = Recorder<AFError?>()
        let gate = DispatchSemaphore(value: 0)
        manager.streamRequest("http://h/").responseStreamString { stream in
            if let completion = stream.completion { return errors.add(completion.error) }
            gate.wait()
            throw Refused()
        }
        await transport.exchange().replyAtOnce(200, [:], "all")
        #expect(await until { manager.tasks.isEmpty })
        gate.signal()
        #expect(await errors.wait(for: 1)[0]?.underlyingError is Refused)
    }

    @Test("a value that cannot be serialized ends the request if that option is set")
    func endsOnFailure() async {
        for ends in [true, false] {
            let log = Recorder<String>()
            let count = transport.exchanges.count
            manager.streamRequest("http://h/", automaticallyCancelOnStreamError: ends)
                .responseStreamDecodable(of: Event.self) { log.add(text($0) { "\($0.id)" }) }
            let transfer = await transport.exchange(count)
            transfer.respond(200, [:], ["x\n{\"id\":1}\n"])
            transfer.end()
            let expected = ends ? ["failure", "end serialization"] : ["failure", "1", "end good"]
            #expect(await log.wait(for: expected.count) == expected)
        }
    }

    @Test("a canceled stream gets no more values, and ends as canceled")
    func cancelled() async {
        manager.streamRequest("http://h/").responseStreamString { [log] stream in
            log.add(text(stream))
            if stream.value == "2" { stream.cancel() }
        }
        await transport.exchange().respond(200, [:], ["1", "2", "3"])
        #expect(await log.wait(for: 3) == ["1", "2", "end cancellation"])
    }

    @Test("a response that fails validation is not streamed, and the error has it")
    func refused() async {
        let errors = Recorder<AFError?>()
        let validated = Recorder<Int>()
        manager.streamRequest("http://h/")
            .validate { _, response in
                validated.add(response.statusCode)
                return .success(())
            }
            .validate(statusCode: [200, 404]).validate(contentType: ["*/*"]).validate()
            .responseStreamString { [log] stream in
                if let completion = stream.completion { return errors.add(completion.error) }
                log.add("value")
            }
        await transport.exchange().replyAtOnce(404, [:], "gone")
        let error = await errors.wait(for: 1)[0]
        #expect(error?.responseCode == 404 && error?.context.data == Data("gone".utf8))
        #expect(log.count == 0 && validated.all == [404])
    }

    @Test("the server waits for slow handlers")
    func backPressure() async {
        let gate = DispatchSemaphore(value: 0)
        manager.streamRequest("http://h/").responseStream { [log] stream in
            log.add("piece")
            gate.wait()
        }
        let transfer = await transport.exchange()
        transfer.respond(200, [:], ["12345"])
        await log.wait(for: 1)
        #expect(!transfer.calls.all.contains(.didConsume(5)))
        gate.signal()
        #expect(await until { transfer.calls.all.contains(.didConsume(5)) })
        transfer.end()
        await log.wait(for: 2)
        gate.signal()
    }

    @Test("a stream that is added late gets the rest, and after the end only the end")
    func late() async {
        let request = manager.streamRequest("http://h/").responseStreamString { [log] in
            log.add("a " + text($0))
        }
        let transfer = await transport.exchange()
        transfer.respond(200, [:], ["1"])
        await log.wait(for: 1)
        request.responseStreamString { [log] in log.add("b " + text($0)) }
        transfer.send(["2"])
        await log.wait(for: 3)
        transfer.end()
        await log.wait(for: 5)
        request.responseStreamString { [log] in log.add("c " + text($0)) }
        let all = await log.wait(for: 6)
        #expect(all[1...2].sorted() == ["a 2", "b 2"] && all[5] == "c end good")
    }

    @Test("a request that never starts ends its streams when it is canceled")
    func neverStarted() async {
        let request = manager.streamRequest("http://h/", shouldAutomaticallyResume: false)
        request.responseStreamString { [log] in log.add(text($0)) }
        request.cancel()
        #expect(await log.wait(for: 1) == ["end cancellation"])
        let bare = manager.streamRequest("http://h/")
        bare.cancel()
        #expect(await until { manager.tasks.isEmpty })
        bare.responseStreamString { [log] in log.add(text($0)) }
        #expect(await log.wait(for: 2).last == "end cancellation")
        #expect(transport.exchanges.isEmpty)
    }

    @Test("typed parameters and router requests can be streamed")
    func factories() async throws {
        manager.streamRequest("http://h/", method: .post, parameters: ["a": 1])
            .responseStream { _ in }
        let form = await transport.exchange()
        #expect(form.exchange.method == "POST")
        form.replyAtOnce(200, [:], "")
        manager.streamRequest(try URLRequest(url: "http://h/b", method: .put))
            .responseStream { _ in }
        let router = await transport.exchange(1)
        #expect(router.exchange.method == "PUT" && router.exchange.url.hasSuffix("/b"))
        router.replyAtOnce(200, [:], "")
    }

    @Test("a retrier is asked before anything is streamed, and then the next attempt streams")
    func retried() async {
        let request = manager.streamRequest(
            "http://h/",
            interceptor: Retrier { request, _, _, completion in
                completion(request.retryCount == 0 ? .retry : .doNotRetry)
            })
        request.responseStreamString { [log] in log.add(text($0)) }
        await transport.exchange().replyAtOnce(503, [:], "busy")
        await transport.exchange(1).replyAtOnce(200, [:], "good")
        #expect(await log.wait(for: 2) == ["good", "end good"])
    }

    @Test("the group waits until the streams have received the end")
    func group() async {
        let group = DispatchGroup()
        manager.completionGroup = group
        let gate = DispatchSemaphore(value: 0)
        manager.streamRequest("http://h/").responseStream { _ in gate.wait() }
        await transport.exchange().replyAtOnce(200, [:], "1")
        #expect(await until { manager.tasks.isEmpty })
        #expect(group.wait(timeout: .now()) == .timedOut)
        gate.signal()
        gate.signal()
        await onOwnThread { group.wait() }
    }

    @Test("a cancel ends a stream as canceled even if the whole body has arrived")
    func cancelledBehindBody() async {
        let gate = DispatchSemaphore(value: 0)
        let request = manager.streamRequest("http://h/")
        request.responseStream(using: .string, framing: .lines) { [log] stream in
            log.add(text(stream))
            if stream.value == "1" { gate.wait() }
        }
        await transport.exchange().replyAtOnce(200, [:], "1\n2\n3\n")
        await log.wait(for: 1)
        #expect(await until { manager.tasks.isEmpty })
        request.cancel()
        gate.signal()
        #expect(await log.wait(for: 2) == ["1", "end cancellation"])
    }

    @Test("lines before a line that is too long are values, whatever the pieces are")
    func linesBeforeLongOne() async {
        manager.streamRequest("http://h/").responseStream(
            using: .string, framing: .lines.limited(to: 3)
        ) { [log] in log.add(text($0)) }
        await transport.exchange().respond(200, [:], ["a\nb\ncdefg\nh\n"])
        #expect(await log.wait(for: 4) == ["a", "b", "failure", "end serialization"])
    }

    // MARK: Loops

    @Test("unread values do not delay the end of a canceled request")
    func unreadValues() async {
        let group = DispatchGroup()
        manager.completionGroup = group
        let request = manager.streamRequest("http://h/")
        let values = request.streamTask().streamingStrings()
        request.responseStreamString { [log] in log.add(text($0)) }
        await transport.exchange().respond(200, [:], ["1", "2"])
        request.cancel()
        #expect(await log.wait(for: 1).last == "end cancellation")
        await onOwnThread { group.wait() }
        var last = ""
        for await stream in values { last = text(stream) }
        #expect(last == "end cancellation")
    }

    @Test("a slow loop gets everything that arrived before the connection was lost, in order")
    func lostConnection() async {
        let request = manager.streamRequest("http://h/")
        let values = request.streamTask().streamingResponses(
            serializedUsing: .string, framing: .lines)
        request.responseStreamString { [log] in log.add(text($0)) }
        let transfer = await transport.exchange()
        transfer.respond(200, [:], ["1\n2\n", "3\n4\n"])
        var iterator = values.makeAsyncIterator()
        var all: [String] = []
        if let first = await iterator.next() { all.append(text(first)) }
        transfer.fail(.lost)
        // The other streams receive the end even if the loop does not read.
        #expect(await log.wait(for: 3).last == "end transport")
        while let next = await iterator.next() { all.append(text(next)) }
        #expect(all == ["1", "2", "3", "4", "end transport"])
    }

    @Test("unread values do not delay the shutdown of a manager")
    func unreadAtShutdown() async {
        let values = manager.streamRequest("http://h/").streamTask()
            .streamingResponses(serializedUsing: .string, framing: .lines)
        await transport.exchange().replyAtOnce(200, [:], "1\n2\n3")
        await manager.shutdown(cancelingAfter: .seconds(30))
        var all: [String] = []
        for await value in values { all.append(text(value)) }
        #expect(all == ["1", "2", "3", "end good"])
    }

    @Test("an error of a stream after its body is the request's state and error, too")
    func lateEnds() async {
        let ends = Recorder<AFError?>()
        let cancelled = manager.streamRequest("http://h/").responseStreamString { stream in
            if let completion = stream.completion { return ends.add(completion.error) }
            stream.cancel()
        }
        await transport.exchange().replyAtOnce(200, [:], "1")
        #expect(await ends.wait(for: 1)[0]?.isExplicitlyCancelledError == true)
        #expect(cancelled.error?.isExplicitlyCancelledError == true)
        #expect(cancelled.state == .cancelled)

        let hasCompleted = DispatchSemaphore(value: 0)
        manager.taskDidComplete = { _, _ in hasCompleted.signal() }
        let refused = manager.streamRequest("http://h/").responseStreamString { stream in
            if let completion = stream.completion { return ends.add(completion.error) }
            hasCompleted.wait()
            throw Refused()
        }
        await transport.exchange(1).replyAtOnce(200, [:], "1")
        #expect(await ends.wait(for: 2)[1]?.underlyingError is Refused)
        #expect(refused.error?.underlyingError is Refused && refused.state == .finished)
    }

    @Test("a manual clock advances while a loop works on its values")
    func manualClock() async throws {
        let clock = ManualClock()
        let rig = StubRig(clock: clock)
        rig.answer(.init(200, body: Data("{\"id\":1}\n{\"id\":2}\n".utf8)))
        let ids = try await clock.run {
            var ids: [Int] = []
            for await stream in rig.manager.streamRequest("a").streamTask()
                .streamingDecodables(Event.self)
            {
                if let event = stream.value { ids.append(event.id) }
                try await clock.sleep(for: .seconds(1))
            }
            return ids
        }
        #expect(ids == [1, 2])
    }

    @Test("loops get values, strings, data and the end")
    func loops() async {
        func values<Value, Failure>(
            _ show: @escaping (Value) -> String,
            _ read: (DataStreamTask) -> DataStreamTask.Values<Value, Failure>
        ) async -> [String] {
            let count = transport.exchanges.count
            let values = read(manager.streamRequest("http://h/").streamTask())
            let transfer = await transport.exchange(count)
            transfer.respond(200, [:], ["{\"id\":1}\n{\"id\":", "2}\n"])
            transfer.end()
            var all: [String] = []
            for await stream in values { all.append(text(stream, show)) }
            return all
        }
        let decoded = await values({ (event: Event) in "\(event.id)" }) {
            $0.streamingDecodables(Event.self)
        }
        #expect(decoded == ["1", "2", "end good"])
        let texts = await values({ (text: String) in text }) { $0.streamingStrings() }
        #expect(texts == ["{\"id\":1}\n{\"id\":", "2}\n", "end good"])
        let pieces = await values({ (data: Data) in "\(data.count)" }) { $0.streamingData() }
        #expect(pieces == ["15", "3", "end good"])
        let own = await values({ (text: String) in text }) {
            $0.streamingResponses(serializedUsing: .string, framing: .lines)
        }
        #expect(own == ["{\"id\":1}", "{\"id\":2}", "end good"])
    }

    @Test("leaving a loop cancels the request by default")
    func leftLoop() async {
        func readOne(_ values: DataStreamTask.Values<String, Never>) async {
            for await stream in values {
                #expect(stream.value == "1")
                break
            }
        }
        let left = manager.streamRequest("http://h/")
        let reading = Task { await readOne(left.streamTask().streamingStrings()) }
        await transport.exchange().respond(200, [:], ["1", "2"])
        await reading.value
        #expect(await until { left.isCancelled })
        let kept = manager.streamRequest("http://h/")
        let patient = kept.streamTask().streamingStrings(automaticallyCancelling: false)
        let other = await transport.exchange(1)
        other.respond(200, [:], ["1"])
        await readOne(patient)
        #expect(!kept.isCancelled)
        kept.cancel()
    }

    @Test("canceling the Swift task of a loop cancels the request and ends the loop")
    func cancelledLoop() async {
        let request = manager.streamRequest("http://h/")
        let values = request.streamTask().streamingStrings()
        let reading = Task {
            var last = ""
            for await stream in values { last = text(stream) }
            return last
        }
        await transport.exchange().respond(200, [:], [])
        reading.cancel()
        #expect(await reading.value == "end cancellation")
        #expect(request.isCancelled)
    }

    @Test("the server waits for the loop, which holds at most one value")
    func slowLoop() async {
        let values = manager.streamRequest("http://h/").streamTask().streamingStrings()
        let transfer = await transport.exchange()
        transfer.respond(200, [:], ["12345", "678"])
        var iterator = values.makeAsyncIterator()
        #expect(await iterator.next()?.value == "12345")
        #expect(await until { transfer.calls.all.contains(.didConsume(5)) })
        #expect(!transfer.calls.all.contains(.didConsume(3)))
        #expect(await iterator.next()?.value == "678")
        transfer.end()
        #expect(await iterator.next()?.completion != nil)
        #expect(await iterator.next() == nil)
    }
}
