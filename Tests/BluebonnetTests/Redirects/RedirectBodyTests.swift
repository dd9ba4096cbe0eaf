import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("Bodies of redirects", .timeLimit(.minutes(5)))
struct RedirectBodyTests {
    enum Kind: CaseIterable, Sendable { case data, download, stream }

    /// What came of a task, whatever its kind.
    struct Outcome: Sendable {
        var body: Data?
        var metrics: TaskMetrics?
    }

    static let largestExcerpt = 64 * 1024

    let stub = StubTransport()
    let manager: SessionManager
    let directory: TemporaryDirectory

    init() throws {
        manager = SessionManager(transport: stub)
        directory = try TemporaryDirectory()
    }

    func outcome(of kind: Kind) async throws -> Outcome {
        let request = URLRequest(url: try #require(URL(string: "http://stub.test/a")))
        switch kind {
        case .data:
            let response = await manager.response(
                for: request, serializer: HTTPResponseSerializer())
            return Outcome(body: response.value, metrics: response.metrics)
        case .download:
            let place = directory.file("result")
            let response = await manager.download(for: request, destination: { _ in place })
            let bytes = try response.value?.bytes
            return Outcome(body: bytes.map { Data($0) }, metrics: response.metrics)
        case .stream:
            let stream = try await manager.stream(for: request)
            var body = Data()
            for try await piece in stream { body += piece }
            return Outcome(body: body, metrics: stream.task.metrics)
        }
    }

    @Test(
        "64 KiB are read to their end, and one without an end is broken off and followed",
        arguments: Kind.allCases)
    func endless(kind: Kind) async throws {
        async let outcome = outcome(of: kind)
        let first = await stub.exchange()
        first.respond(302, ["Location": "/b"])
        first.send([UInt8](repeating: 1, count: Self.largestExcerpt))
        await manager.callbacks.flush()
        #expect(!first.calls.all.contains(.cancel))
        first.send([1])
        let second = await stub.exchange(1)
        #expect(first.calls.all.count { $0 == .cancel } == 1)
        #expect(second.exchange.url == "http://stub.test/b")
        second.reply(200, [:], "whole")
        let result = try await outcome
        #expect(result.body == Data("whole".utf8))
        #expect(result.metrics?.redirectCount == 1 && result.metrics?.exchanges.count == 2)
    }

    @Test("one that is broken off before its transfer is known still ends first")
    func beforeTransfer() async throws {
        let stub = StubTransport { transfer in
            guard transfer.exchange.url.hasSuffix("/a") else { return transfer.reply() }
            transfer.respond(302, ["Location": "/b"])
            transfer.send([UInt8](repeating: 1, count: Self.largestExcerpt + 1))
        }
        let manager = HTTPSessionManager(baseURL: URL(string: "http://stub.test/"), transport: stub)
        let response = await withCheckedContinuation { continuation in
            manager.get("a") { continuation.resume(returning: $0) }
        }
        #expect(response.error == nil && response.metrics?.exchanges.count == 2)
        #expect(await stub.exchange().calls.all == [.cancel])
    }

    @Test("a hook that answers nil gets the whole of it as the response")
    func hook() async throws {
        manager.taskWillPerformHTTPRedirection = { _, _, _ in nil }
        let serializer = HTTPResponseSerializer(acceptableStatusCodes: [302])
        let request = URLRequest(url: try #require(URL(string: "http://stub.test/a")))
        async let response = manager.response(for: request, serializer: serializer)
        let exchange = await stub.exchange()
        exchange.respond(302, ["Location": "/b"])
        for _ in 0..<4 { exchange.send([UInt8](repeating: 1, count: Self.largestExcerpt)) }
        exchange.end()
        #expect(await response.data?.count == 4 * Self.largestExcerpt)
        #expect(exchange.calls.all.isEmpty && stub.exchanges.count == 1)
    }

    @Test("a hook gets up to the limit of a redirect's body, and one byte more fails the task")
    func hookLimit() async throws {
        var configuration = SessionConfiguration()
        configuration.maximumRedirectBodySize = 1000
        for (size, isAllowed) in [(1000, true), (1001, false)] {
            let stub = StubTransport()
            let manager = SessionManager(configuration: configuration, transport: stub)
            manager.taskWillPerformHTTPRedirection = { _, _, _ in nil }
            let serializer = HTTPResponseSerializer(acceptableStatusCodes: [302])
            let request = URLRequest(url: try #require(URL(string: "http://stub.test/a")))
            async let response = manager.response(for: request, serializer: serializer)
            let exchange = await stub.exchange()
            exchange.respond(302, ["Location": "/b"])
            exchange.send([UInt8](repeating: 1, count: size))
            if isAllowed { exchange.end() }
            let (data, error) = await (response.data, response.error)
            #expect(isAllowed ? data?.count == size : error?.limit == .redirectBodySize)
            #expect(exchange.calls.all == (isAllowed ? [] : [.cancel]))
        }
    }

    /// Answers with a redirect of more than an excerpt, and sets the hook when it is broken off.
    private struct LateHook: Transport {
        final class Exchanged: Transfer {
            let sink: any ExchangeSink
            let setHook: @Sendable () -> Void

            init(sink: any ExchangeSink, setHook: @escaping @Sendable () -> Void) {
                self.sink = sink
                self.setHook = setHook
            }

            func begin() {
                let location = Exchange.Field(name: "Location", value: "/b")
                let body = Data(repeating: 1, count: RedirectBodyTests.largestExcerpt + 1)
                sink.receive(
                    Exchange.Report(
                        head: Exchange.Head(statusCode: 302, fields: [location]),
                        body: [Exchange.Chunk(body)]))
            }

            func cancel() {
                setHook()
                sink.receive(Exchange.Report(end: Exchange.End(failure: .cancelled)))
            }

            func suspend() {}
            func resume() {}
            func didConsume(_ count: Int) {}
        }

        let begun = Recorder<String>()
        let setHook: @Sendable () -> Void

        func transfer(
            for exchange: Exchange, reportingTo sink: any ExchangeSink
        ) -> any Transfer {
            begun.add(exchange.url)
            return Exchanged(sink: sink, setHook: setHook)
        }
    }

    @Test("a hook that comes too late, and answers nil, gets the part that was read")
    func lateHook() async throws {
        let box = Locked<SessionManager?>(nil)
        let transport = LateHook {
            box.withLock { $0 }?.taskWillPerformHTTPRedirection = { _, _, _ in nil }
        }
        let manager = SessionManager(transport: transport)
        box.withLock { $0 = manager }
        let serializer = HTTPResponseSerializer(acceptableStatusCodes: [302])
        let request = URLRequest(url: try #require(URL(string: "http://stub.test/a")))
        let response = await manager.response(for: request, serializer: serializer)
        #expect(response.value?.count == Self.largestExcerpt + 1)
        #expect(transport.begun.count == 1)
        box.withLock { $0 = nil }
    }

    @Test("a cancel while one is broken off ends the task")
    func cancelled() async throws {
        let rig = SessionRig()
        let task = rig.task()
        task.resume()
        let exchange = await rig.stub.exchange()
        exchange.respond(302, ["Location": "/b"])
        // Here the cancel comes on the heels of the last byte, before or after it is counted.
        exchange.send([UInt8](repeating: 1, count: Self.largestExcerpt + 1))
        task.cancel()
        #expect(await rig.response.error?.isCancelled == true)
        await rig.expectOneCompletion()
    }
}
