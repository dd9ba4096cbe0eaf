import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("Streams", .timeLimit(.minutes(5)))
struct ResponseStreamTests {
    let stub = ManualTransport()
    let manager: SessionManager

    init() {
        manager = SessionManager(transport: stub)
    }

    func request() throws -> URLRequest {
        URLRequest(url: try #require(URL(string: "http://stub.test/a")))
    }

    /// Returns a stream whose head has arrived, and its exchange.
    func begun(_ fields: [String: String] = [:]) async throws -> (ResponseStream, ManualTransfer) {
        let (manager, request) = (manager, try request())
        async let stream = manager.stream(for: request)
        let exchange = await stub.exchange()
        exchange.respond(200, fields)
        return (try await stream, exchange)
    }

    @Test("the head arrives before the body, then every piece in order")
    func order() async throws {
        let (stream, exchange) = try await begun(["X": "1"])
        #expect(stream.head.statusCode == 200 && stream.head.value(of: "X") == "1")
        #expect(stream.task.state == .running)
        for number in 0..<100 { exchange.send([UInt8(number), 1]) }
        exchange.end()
        var bytes: [UInt8] = []
        for try await piece in stream {
            #expect(!piece.isEmpty)
            bytes += piece
        }
        let sent = (UInt8(0)..<100).flatMap { (number: UInt8) -> [UInt8] in [number, 1] }
        #expect(bytes == sent)
        #expect(stream.task.delegate.data.isEmpty && stream.task.state == .completed)
        #expect(stream.task.progress.completedUnitCount == 200)
    }

    @Test("only bytes that were read are consumed")
    func backPressure() async throws {
        let (stream, exchange) = try await begun()
        #expect(exchange.exchange.receiveWindow == 1024 * 1024)
        for _ in 0..<4 { exchange.send(Array(repeating: 1, count: 10)) }
        await manager.callbacks.flush()
        #expect(exchange.calls.count == 0)
        var reader = stream.makeAsyncIterator()
        for number in 1...4 {
            _ = try await reader.next()
            #expect(exchange.calls.all == Array(repeating: .didConsume(10), count: number))
        }
        exchange.end()
        #expect(try await reader.next() == nil)
        #expect(try await reader.next() == nil)
    }

    @Test("bytes read before the transfer is known are consumed later")
    func consumedEarly() async throws {
        let read = Recorder<Int>()
        let stub = ManualTransport { transfer in
            transfer.respond(200, [:], ["abc"])
            while read.count == 0 { sched_yield() }
        }
        let manager = SessionManager(transport: stub)
        let channel = ResponseChannel()
        let task: StreamTask = manager.makeTask(
            .made(.success(try request())),
            StreamResponder(serializer: HTTPResponseSerializer(), channel: channel),
            isJudged: false,
            flow: .stream(channel)
        )
        let source = ResponseStream.Source(task: task, channel: channel)
        Thread.detachNewThread { task.resume() }
        let data = try await source.next()
        read.add(try #require(data).count)
        #expect(await stub.exchange().calls.wait(for: 1) == [.didConsume(3)])
    }

    @Test("an error in the middle of a body arrives after the pieces before it")
    func broken() async throws {
        let (stream, exchange) = try await begun()
        exchange.send([1])
        exchange.fail(.lost)
        var reader = stream.makeAsyncIterator()
        #expect(try await reader.next() == Data([1]))
        let error = await #expect(throws: BluebonnetError.self) { try await reader.next() }
        #expect(error?.urlError.code == .networkConnectionLost)
        #expect(error?.context.head?.statusCode == 200)
        await #expect(throws: BluebonnetError.self) { try await reader.next() }
    }

    @Test("an unacceptable status code throws, with the body")
    func unacceptable() async throws {
        let (manager, request) = (manager, try request())
        async let stream = manager.stream(for: request)
        await stub.exchange().reply(404, ["Content-Type": "text/plain"], "not here")
        do {
            _ = try await stream
            Issue.record("it was accepted")
        } catch {
            guard case BluebonnetError.unacceptableStatus(404, let context) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(context.data == Data("not here".utf8))
        }
    }

    @Test("an empty body of a type that is not accepted is a stream without pieces")
    func emptyOfWrongType() async throws {
        let (manager, request) = (manager, try request())
        async let stream = manager.stream(for: request, validatedBy: JSONResponseSerializer())
        await stub.exchange().reply(200, ["Content-Type": "text/html"], "")
        let made = try await stream
        #expect(made.head.statusCode == 200)
        for try await _ in made { Issue.record("there is a piece") }
    }

    @Test("a stream does not become a download")
    func disposition() async throws {
        manager.dataTaskDidReceiveResponse = { _, _ in .becomeDownload }
        let (stream, exchange) = try await begun()
        exchange.send([1, 2])
        exchange.end()
        var reader = stream.makeAsyncIterator()
        #expect(try await reader.next() == Data([1, 2]))
        #expect(try await reader.next() == nil)
    }

    @Test("a disposition of .cancel throws .cancelled")
    func dispositionCancel() async throws {
        manager.dataTaskDidReceiveResponse = { _, _ in .cancel }
        let (manager, request) = (manager, try request())
        async let stream = manager.stream(for: request)
        await stub.exchange().respond()
        do {
            _ = try await stream
            Issue.record("it was not canceled")
        } catch {
            #expect((error as? BluebonnetError)?.isCancelled == true)
        }
    }

    enum Moment: CaseIterable, Sendable { case beforeStart, beforeHead, whileReading }

    @Test(
        "canceling the Swift task cancels the request and throws .cancelled",
        arguments: Moment.allCases)
    func cancelled(moment: Moment) async throws {
        let (manager, request, stub) = (manager, try request(), stub)
        let read = Recorder<Data>()
        let go = Recorder<Void>()
        let task = Task {
            if moment == .beforeStart { await go.wait(for: 1) }
            do {
                for try await piece in try await manager.stream(for: request) { read.add(piece) }
                return BluebonnetError?.none
            } catch {
                return error as? BluebonnetError
            }
        }
        if moment != .beforeStart {
            let exchange = await stub.exchange()
            if moment == .whileReading {
                exchange.respond(200, [:], ["a"])
                await read.wait(for: 1)
            }
        }
        task.cancel()
        go.add(())
        #expect(await task.value?.isCancelled == true)
        if moment != .beforeStart { #expect(stub.exchanges[0].calls.all.contains(.cancel)) }
        #expect(await until { manager.tasks.isEmpty })
    }

    @Test(
        "releasing the stream and its reader cancels the request",
        arguments: [true, false])
    func dropped(isReaderKept: Bool) async throws {
        var reader: ResponseStream.Iterator?
        let exchange: ManualTransfer
        do {
            let (stream, begun) = try await begun()
            exchange = begun
            if isReaderKept { reader = stream.makeAsyncIterator() }
        }
        if isReaderKept {
            exchange.send([1])
            #expect(try await reader?.next() == Data([1]))
            #expect(!exchange.calls.all.contains(.cancel))
            reader = nil
        }
        #expect(await until { exchange.calls.all.contains(.cancel) })
        #expect(await until { manager.tasks.isEmpty })
    }

    @Test("if two readers wait, the first throws, so that it does not look like the end")
    func displacedReader() async throws {
        let (stream, exchange) = try await begun()
        let results = Recorder<Result<Data?, BluebonnetError>>()
        for _ in 0..<2 {
            Task {
                var iterator = stream.makeAsyncIterator()
                do throws(BluebonnetError) {
                    results.add(.success(try await iterator.next()))
                } catch {
                    results.add(.failure(error))
                }
            }
        }
        guard case .failure(.unreadableBody) = await results.wait(for: 1)[0] else {
            Issue.record("\(results.all)")
            return
        }
        exchange.send([1, 2])
        guard case .success(Data([1, 2])) = await results.wait(for: 2)[1] else {
            Issue.record("\(results.all)")
            return
        }
        exchange.end()
    }

    @Test("two readers share the pieces, and neither waits forever")
    func twoReaders() async throws {
        let (stream, exchange) = try await begun()
        let count = Locked(0)
        let readers = (0..<2).map { _ in
            Task {
                for try await piece in stream { count.withLock { $0 += piece.count } }
            }
        }
        for _ in 0..<50 { exchange.send([1, 2]) }
        exchange.end()
        for reader in readers { _ = await reader.result }
        #expect(count.withLock { $0 } == 100)
    }

    @Test("a stream leaves nothing behind, whether read or dropped", arguments: [true, false])
    func lifetime(isRead: Bool) async throws {
        weak var manager: SessionManager?
        weak var delegate: TaskDelegate?
        weak var task: SessionTask?
        let (stub, request) = (ManualTransport(), try request())
        do {
            let made = SessionManager(transport: stub)
            async let opening = made.stream(for: request)
            let exchange = await stub.exchange()
            exchange.respond(200, [:], ["a"])
            let stream = try await opening
            (manager, delegate, task) = (made, stream.task.delegate, stream.task)
            if isRead {
                exchange.end()
                for try await _ in stream {}
            }
        }
        #expect(await until { manager == nil && delegate == nil && task == nil })
    }
}
