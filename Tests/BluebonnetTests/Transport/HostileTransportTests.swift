import BluebonnetChain
import BluebonnetTestSupport
import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("Transports that violate their contract", .timeLimit(.minutes(5)))
struct HostileTransportTests {
    /// A transport whose exchanges report whatever the test wants.
    private struct Hostile: Transport {
        let act: @Sendable (any ExchangeSink) -> Void

        func transfer(
            for exchange: Exchange, reportingTo sink: any ExchangeSink
        ) -> any Transfer {
            // It does not report when it works either.
            exchange.takeOverWork()
            return HostileTransfer(sink: sink, act: act)
        }
    }

    private final class HostileTransfer: Transfer {
        let sink: any ExchangeSink
        let act: @Sendable (any ExchangeSink) -> Void

        init(sink: any ExchangeSink, act: @escaping @Sendable (any ExchangeSink) -> Void) {
            self.sink = sink
            self.act = act
        }

        func begin() { act(sink) }
        func cancel() {}
        func suspend() {}
        func resume() {}
        func didConsume(_ count: Int) {}
    }

    private static let head = Exchange.Report(head: Exchange.Head(statusCode: 200))
    private static let end = Exchange.Report(end: Exchange.End())
    private static func body(_ text: String) -> Exchange.Report {
        Exchange.Report(body: [Exchange.Chunk(Data(text.utf8))])
    }

    /// Counts an exchange, and returns whether it is the first.
    private static func isFirst(_ count: Locked<Int>) -> Bool {
        count.withLock { count in
            count += 1
            return count == 1
        }
    }

    private static func answer(_ sink: any ExchangeSink) {
        for report in [head, body("b"), end] { sink.receive(report) }
    }

    /// Returns the response of a task, after time for a second end.
    private func ends(
        _ configuration: SessionConfiguration = SessionConfiguration(),
        _ act: @escaping @Sendable (any ExchangeSink) -> Void
    ) async throws -> Response<Data> {
        let manager = HTTPSessionManager(configuration: configuration, transport: Hostile(act: act))
        let url = try #require(URL(string: "http://stub.test/"))
        let responses = Recorder<Response<Data>>()
        manager.dataTask(with: URLRequest(url: url), serializer: HTTPResponseSerializer()) {
            responses.add($0)
        }.resume()
        let response = await responses.wait(for: 1)[0]
        // After everything that is still under way.
        await withCheckedContinuation { continuation in
            manager.operationQueue.addOperation { continuation.resume() }
        }
        #expect(responses.count == 1)
        return response
    }

    @Test(
        "one with reports in an impossible order fails the task and is named in the error",
        arguments: [
            ([head, head, end], "a second head"),
            ([head, body("a"), head, end], "a second head"),
            ([body("a"), end], "a body without a head"),
            ([end], "an end without a head or a failure"),
        ])
    func order(reports: [Exchange.Report], words: String) async throws {
        let response = try await ends { sink in for report in reports { sink.receive(report) } }
        #expect(response.error?.description.contains("the transport reported \(words)") == true)
    }

    @Test("content of a response that must have none is dropped", arguments: [204, 205])
    func disallowedContent(status: Int) async throws {
        let response = try await ends { sink in
            sink.receive(Exchange.Report(head: Exchange.Head(statusCode: status)))
            for report in [Self.body("a"), Self.body("b"), Self.end] { sink.receive(report) }
        }
        #expect(response.value == Data() && response.data?.isEmpty == true)
    }

    @Test("reports after the end are ignored")
    func behindTheEnd() async throws {
        let response = try await ends { sink in
            for report in [
                Self.head, Self.body("a"), Self.end, Self.end, Self.body("b"), Self.head,
            ] {
                sink.receive(report)
            }
        }
        #expect(response.value == Data("a".utf8))
    }

    @Test("reports after the end of a redirect do not affect the next exchange")
    func behindARedirect() async throws {
        let count = Locked(0)
        let response = try await ends { sink in
            guard Self.isFirst(count) else { return Self.answer(sink) }
            let location = Exchange.Field(name: "Location", value: "/b")
            sink.receive(
                Exchange.Report(
                    head: Exchange.Head(statusCode: 302, fields: [location]), end: Exchange.End()))
            for report in [Self.body("x"), Self.end, Self.head] { sink.receive(report) }
        }
        #expect(response.value == Data("b".utf8))
    }

    @Test("one that marks every loss as resendable is resent once")
    func alwaysResendable() async throws {
        let count = Locked(0)
        let response = try await ends { sink in
            count.withLock { $0 += 1 }
            var failure = Exchange.Failure.lost
            failure.isResendable = true
            sink.receive(Exchange.Report(end: Exchange.End(failure: failure)))
        }
        #expect(response.error?.urlError.code == .networkConnectionLost)
        #expect(count.withLock { $0 } == 2 && response.metrics?.exchanges.count == 2)
    }

    @Test(
        "one that loses every body makes the hook run only a few times")
    func alwaysLosesBody() async throws {
        let (sent, asked) = (Locked(0), Locked(0))
        let transport = Hostile { sink in
            sent.withLock { $0 += 1 }
            var failure = Exchange.Failure.lost
            failure.needsNewBodyStream = true
            sink.receive(Exchange.Report(end: Exchange.End(failure: failure)))
        }
        let manager = HTTPSessionManager(transport: transport)
        manager.taskNeedsNewBodyStream = { _ in
            asked.withLock { $0 += 1 }
            return { InputStream(data: Data("a".utf8)) }
        }
        var request = URLRequest(url: try #require(URL(string: "http://stub.test/")))
        request.httpMethod = "PUT"
        request.httpBodyStream = InputStream(data: Data("a".utf8))
        let error = await #expect(throws: BluebonnetError.self) {
            try await manager.data(for: request)
        }
        #expect(error?.urlError.code == .networkConnectionLost)
        #expect(asked.withLock { $0 } == 5 && sent.withLock { $0 } == 6)
    }

    @Test("one that is silent after a redirect's body is cut off has its redirect followed")
    func silentBehindARedirect() async throws {
        let clock = ManualClock()
        var configuration = SessionConfiguration()
        configuration.clock = clock
        let count = Locked(0)
        async let response = ends(configuration) { sink in
            guard Self.isFirst(count) else { return Self.answer(sink) }
            let location = Exchange.Field(name: "Location", value: "/b")
            sink.receive(
                Exchange.Report(head: Exchange.Head(statusCode: 302, fields: [location])))
            for _ in 0..<3 { sink.receive(Self.body(String(repeating: "x", count: 40_000))) }
        }
        #expect(await until { clock.pendingCount == 1 })
        await clock.advance(by: .seconds(1))
        #expect(try await response.value == Data("b".utf8))
    }

    @Test("byte counts that are negative or decrease are reported as zero")
    func countsBackwards() async throws {
        let manager = HTTPSessionManager(
            transport: Hostile { sink in
                for count in [1, .min, .max, 0] as [Int64] {
                    sink.receive(Exchange.Report(sentBodyBytes: count))
                }
                for report in [Self.head, Self.end] { sink.receive(report) }
            })
        let counts = Recorder<Int64>()
        manager.taskDidSendBodyData = { _, sent, total, _ in
            counts.add(sent)
            counts.add(total)
        }
        var request = URLRequest(url: try #require(URL(string: "http://stub.test/")))
        request.httpMethod = "PUT"
        _ = try await manager.data(for: request)
        #expect(counts.all == [1, 1, 0, 0, .max, .max, 0, 0])
    }

    /// A transfer that reads its task's state in its deinit.
    private final class Curious: Transfer {
        let task: Locked<DataTask?>
        let sink: any ExchangeSink

        init(_ task: Locked<DataTask?>, _ sink: any ExchangeSink) {
            (self.task, self.sink) = (task, sink)
        }

        deinit { _ = task.withLock { $0 }?.state }

        func begin() {
            sink.receive(
                Exchange.Report(head: Exchange.Head(statusCode: 200), end: Exchange.End()))
        }
        func cancel() {}
        func suspend() {}
        func resume() {}
        func didConsume(_ count: Int) {}
    }

    private struct CuriousTransport: Transport {
        let task = Locked<DataTask?>(nil)
        /// Whether it cancels the task, so that the transfer is not begun.
        let cancels: Bool

        func transfer(
            for exchange: Exchange, reportingTo sink: any ExchangeSink
        ) -> any Transfer {
            if cancels { task.withLock { $0 }?.cancel() }
            return Curious(task, sink)
        }
    }

    @Test(
        "a transfer can use its task in its deinit, even if it was never begun",
        arguments: [false, true])
    func curious(isCancelled: Bool) async throws {
        let transport = CuriousTransport(cancels: isCancelled)
        let manager = HTTPSessionManager(transport: transport)
        let responses = Recorder<Response<Data>>()
        let url = try #require(URL(string: "http://stub.test/"))
        let task = manager.dataTask(
            with: URLRequest(url: url), serializer: HTTPResponseSerializer()
        ) {
            responses.add($0)
        }
        transport.task.withLock { $0 = task }
        task.resume()
        let error = await responses.wait(for: 1)[0].error
        #expect(error?.isExplicitlyCancelledError == (isCancelled ? true : nil))
        transport.task.withLock { $0 = nil }
    }

    @Test("a body over the limit fails the task even if the transport ignores the limit")
    func beyondTheLimit() async throws {
        var configuration = SessionConfiguration()
        configuration.maximumResponseBodySize = 3
        let response = try await ends(configuration) { sink in
            for report in [Self.head, Self.body("ab"), Self.body("cd"), Self.end] {
                sink.receive(report)
            }
        }
        #expect(response.error?.description.contains("larger than the limit of 3 bytes") == true)
    }

    @Test("concurrent reports still end the task once")
    func manyThreads() async throws {
        _ = try await ends { sink in
            for _ in 0..<8 {
                Thread.detachNewThread {
                    for report in [Self.head, Self.body("a"), Self.end] { sink.receive(report) }
                }
            }
        }
    }
}
