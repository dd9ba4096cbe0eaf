import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("Upload tasks", .timeLimit(.minutes(5)))
struct UploadTaskTests {
    enum Kind: CaseIterable, Sendable { case data, file, stream, sizedStream }

    static let body = sampleBytes(10_000)

    let rig = SessionRig()
    let directory: TemporaryDirectory
    let file: URL

    init() throws {
        directory = try TemporaryDirectory()
        file = try directory.write(Self.body, to: "body")
    }

    func request(_ method: String = "POST") throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: "http://stub.test/a")))
        request.httpMethod = method
        request.setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
        return request
    }

    func task(
        _ kind: Kind = .data, method: String = "POST", progress: ProgressHandler? = nil
    ) throws -> UploadTask {
        let request = try request(method)
        let handler: @Sendable (Response<any Sendable>) -> Void = {
            [log = rig.log, responses = rig.responses] in
            log.add("handler")
            responses.add($0)
        }
        return switch kind {
        case .data:
            rig.manager.uploadTask(
                with: request, from: Data(Self.body), progress: progress,
                completionHandler: handler)
        case .file:
            rig.manager.uploadTask(
                with: request, fromFile: file, progress: progress, completionHandler: handler)
        case .stream, .sizedStream:
            rig.manager.uploadTask(
                withStreamedRequest: request,
                length: kind == .stream ? nil : Int64(Self.body.count),
                body: { InputStream(data: Data(Self.body)) }, progress: progress,
                completionHandler: handler)
        }
    }

    @Test(
        "the task sends its own body, with its length if known", arguments: Kind.allCases)
    func body(kind: Kind) async throws {
        try task(kind).resume()
        let exchange = await rig.stub.exchange()
        #expect(exchange.exchange.body?.length == (kind == .stream ? nil : 10_000))
        #expect(exchange.readBody() == Self.body)
        exchange.reply()
        #expect(await rig.response.error == nil)
        await rig.expectOneCompletion()
    }

    @Test("307 and 308 send the body again from its start", arguments: Kind.allCases, [307, 308])
    func replayed(kind: Kind, status: Int) async throws {
        try task(kind, method: "PUT").resume()
        let first = await rig.stub.exchange()
        #expect(first.readBody() == Self.body)
        first.redirect(status, to: "/b")
        let second = await rig.stub.exchange(1)
        #expect(second.exchange.method == "PUT")
        #expect(second.readBody() == Self.body)
        #expect(second.value(of: "Content-Type") == "application/octet-stream")
        second.reply()
        await rig.expectOneCompletion()
    }

    @Test(
        "301, 302 and 303 after POST lead to a GET without the body",
        arguments: Kind.allCases, [301, 302, 303])
    func dropped(kind: Kind, status: Int) async throws {
        try task(kind).resume()
        await rig.stub.exchange().redirect(status, to: "/b")
        let second = await rig.stub.exchange(1)
        #expect(second.exchange.method == "GET")
        #expect(second.exchange.body == nil)
        #expect(second.value(of: "Content-Type") == nil)
        second.reply()
        await rig.expectOneCompletion()
    }

    // MARK: A request's own stream

    func streamedTask() throws -> DataTask {
        var request = try request()
        request.httpBodyStream = InputStream(data: Data(Self.body))
        return rig.manager.dataTask(with: request) { [log = rig.log, responses = rig.responses] in
            log.add("handler")
            responses.add($0)
        }
    }

    @Test("an httpBodyStream is sent, and another is requested when it must be sent again")
    func newStream() async throws {
        let asked = Recorder<Int>()
        rig.manager.taskNeedsNewBodyStream = { task in
            asked.add(task.taskIdentifier)
            return { InputStream(data: Data(Self.body)) }
        }
        let task = try streamedTask()
        task.resume()
        let first = await rig.stub.exchange()
        #expect(first.readBody() == Self.body)
        for number in 1...2 {
            await rig.stub.exchange(number - 1).redirect(307, to: "/\(number)")
            #expect(await rig.stub.exchange(number).readBody() == Self.body)
        }
        await rig.stub.exchange(2).reply()
        await rig.expectOneCompletion()
        #expect(asked.all == [task.taskIdentifier, task.taskIdentifier])
    }

    @Test("without another stream the task fails, and suggests another way to send the body")
    func noNewStream() async throws {
        try streamedTask().resume()
        await rig.stub.exchange().redirect(307, to: "/b")
        let error = try #require(await rig.response.error)
        #expect(error.urlError.code == .requestBodyStreamExhausted)
        #expect("\(error)".contains("pass the body as data, as a file or as a closure"))
        #expect(rig.stub.exchanges.count == 1)
        await rig.expectOneCompletion()
    }

    @Test("a cancel while another stream is requested completes once, and sends nothing more")
    func cancelWhileAsking() async throws {
        let task = try streamedTask()
        rig.manager.taskNeedsNewBodyStream = { _ in
            task.cancel()
            return { InputStream(data: Data(Self.body)) }
        }
        task.resume()
        await rig.stub.exchange().redirect(307, to: "/b")
        #expect(await rig.response.error?.isCancelled == true)
        await rig.expectOneCompletion()
        #expect(rig.stub.exchanges.count == 1)
    }

    // MARK: Bodies that fail (fault 80)

    enum Fault: CaseIterable, Sendable { case vanished, grown, shrunk, rewritten }

    @Test(
        "a file that changes during the upload fails the task with a file error",
        arguments: Fault.allCases)
    func changed(fault: Fault) async throws {
        try task(.file).resume()
        let exchange = await rig.stub.exchange()
        switch fault {
        case .vanished: try FileManager.default.removeItem(at: file)
        case .grown: try Data(Self.body + [1]).write(to: file)
        case .shrunk: #expect(truncate(file.path, 10) == 0)
        case .rewritten:
            let handle = try FileHandle(forWritingTo: file)
            try handle.write(contentsOf: Data([1, 2, 3]))
            try handle.close()
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: file.path)
        }
        #expect(exchange.readBody() == nil)
        let error = try #require(await rig.response.error)
        guard case .file(let failure, let context) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(failure.path == file.path)
        #expect(context.underlying as? FileFailure == failure)
        #expect(context.request?.url?.path == "/a")
        await rig.expectOneCompletion()
    }

    @Test(
        "a missing file or a directory fails the task before anything is sent",
        arguments: ["none", ""])
    func unusable(name: String) async throws {
        let task = rig.manager.uploadTask(
            with: try request(), fromFile: directory.file(name)
        ) { [log = rig.log, responses = rig.responses] in
            log.add("handler")
            responses.add($0)
        }
        task.resume()
        let error = try #require(await rig.response.error)
        guard case .file(let failure, let context) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(failure.operation == .open || failure.operation == .inspect)
        #expect(context.underlying is FileFailure)
        #expect(rig.stub.exchanges.isEmpty)
        await rig.expectOneCompletion()
    }

    @Test(
        "a stream that throws, is already open, or has another length fails the body",
        arguments: [
            (StreamFailure.Reason.unusable, Int64?.none), (.tooShort, 10_001), (.tooLong, 9_999),
        ])
    func badStream(reason: StreamFailure.Reason, length: Int64?) async throws {
        struct Refusal: Error {}
        let task = rig.manager.uploadTask(
            withStreamedRequest: try request(), length: length,
            body: {
                if reason == .unusable { throw Refusal() }
                return InputStream(data: Data(Self.body))
            }
        ) { [log = rig.log, responses = rig.responses] in
            log.add("handler")
            responses.add($0)
        }
        task.resume()
        #expect(await rig.stub.exchange().readBody() == nil)
        let error = try #require(await rig.response.error)
        guard case .requestBody(_, let context) = error else {
            Issue.record("\(error)")
            return
        }
        #expect((context.underlying as? StreamFailure)?.reason == reason)
        await rig.expectOneCompletion()
    }

    // MARK: Lifetime

    final class Token: Sendable {
        let onDeinit: @Sendable () -> Void
        init(_ onDeinit: @escaping @Sendable () -> Void = {}) { self.onDeinit = onDeinit }
        deinit { onDeinit() }
    }

    @Test("body, factory and handlers are released at the end, even if the task is held")
    func letGo() async throws {
        let task = try task(.stream, progress: { _ in })
        task.resume()
        let exchange = await rig.stub.exchange()
        #expect(exchange.readBody() == Self.body)
        exchange.reply()
        await rig.expectOneCompletion()
        task.delegate.state.withLock { state in
            #expect(state.upload == nil && state.attempt.body == nil)
            #expect(state.responders.next() == nil)
            #expect(state.sending.handler == nil)
        }
    }

    @Test("an object captured by a progress closure can use the task in its deinit")
    func reentrantDeinit() async throws {
        let gone = Recorder<SessionTask.State>()
        let box = Locked<SessionTask?>(nil)
        var held: Token? = Token { box.withLock { $0.map { gone.add($0.state) } } }
        let task = try task(progress: { [held] _ in withExtendedLifetime(held) {} })
        box.withLock { $0 = task }
        held = nil
        task.resume()
        await rig.stub.exchange().reply()
        await gone.wait(for: 1)
        #expect(await rig.response.error == nil)
        box.withLock { $0 = nil }
    }
}
