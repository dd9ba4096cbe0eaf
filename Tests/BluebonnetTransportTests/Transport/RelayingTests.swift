import BluebonnetTransport
import Foundation
import Testing

@Suite("Transports in front of others", .timeLimit(.minutes(5)))
struct RelayingTests {
    /// Records ends and batches.
    private final class Sink: ExchangeSink {
        let failures = Locked<[URLError.Code?]>([])
        let batches = Locked(0)

        func receive(_ report: consuming Exchange.Report) {
            guard let end = report.end else { return }
            failures.withLock { $0.append(end.failure?.code) }
        }

        func gather(_ deliver: () -> Void) {
            batches.withLock { $0 += 1 }
            deliver()
        }
    }

    /// Records its calls, and reports on the test's request.
    private final class Below: Transport, Transfer {
        let calls = Locked<[String]>([])
        let sink = Locked<(any ExchangeSink)?>(nil)

        func transfer(
            for exchange: Exchange, reportingTo sink: any ExchangeSink
        ) -> any Transfer {
            self.sink.withLock { $0 = sink }
            return self
        }

        private func note(_ call: String) { calls.withLock { $0.append(call) } }
        func begin() { note("begin") }
        func cancel() { note("cancel") }
        func suspend() { note("suspend") }
        func resume() { note("resume") }
        func didConsume(_ count: Int) { note("consumed \(count)") }
        func setPriority(_ priority: Float) { note("priority \(priority)") }

        func report(_ report: Exchange.Report) { sink.withLock { $0 }?.receive(report) }
    }

    private let below = Below()
    private let sink = Sink()
    private let exchange = Exchange(method: "GET", url: "http://stub.test/", pool: Exchange.Pool())
    private let lost = Exchange.Failure(.networkConnectionLost, message: "lost")

    @Test("a transfer forwards every call to the one below it")
    func control() {
        let transfer = below.transfer(for: exchange, reportingTo: sink) { _ in }
        transfer.suspend()
        transfer.begin()
        transfer.resume()
        transfer.didConsume(5)
        transfer.setPriority(0.75)
        transfer.cancel()
        #expect(
            below.calls.withLock { $0 } == [
                "suspend", "begin", "resume", "consumed 5", "priority 0.75", "cancel",
            ])
        below.report(Exchange.Report(end: Exchange.End()))
    }

    @Test("a batch of the transport below is a batch of the sink")
    func batches() {
        let transfer = below.transfer(for: exchange, reportingTo: sink) { _ in }
        transfer.begin()
        below.sink.withLock { $0 }?.gather { below.report(Exchange.Report(end: Exchange.End())) }
        #expect(sink.batches.withLock { $0 } == 1 && sink.failures.withLock { $0 } == [nil])
    }

    @Test("a replaced report keeps its end, and a failure stays a failure")
    func keptEnd() {
        let transfer = below.transfer(for: exchange, reportingTo: sink) { report in
            report = Exchange.Report(head: report.head, body: report.body)
        }
        transfer.begin()
        below.report(
            Exchange.Report(
                head: Exchange.Head(statusCode: 200), end: Exchange.End(failure: lost)))
        #expect(sink.failures.withLock { $0 } == [.networkConnectionLost])
        #expect(below.calls.withLock { $0 } == ["begin"])
    }

    @Test("an inserted end is the only one, and cancels the exchange below")
    func ended() {
        let transfer = below.transfer(for: exchange, reportingTo: sink) { [lost] report in
            report.end = Exchange.End(failure: lost)
        }
        transfer.begin()
        below.report(Exchange.Report(head: Exchange.Head(statusCode: 200)))
        below.report(Exchange.Report(end: Exchange.End()))
        #expect(sink.failures.withLock { $0 } == [.networkConnectionLost])
        #expect(below.calls.withLock { $0 } == ["begin", "cancel"])
    }

    @Test("non-Sendable state, such as a decoder, is kept between reports")
    func state() throws {
        let decoder = try Exchange.BodyDecoder(contentEncoding: "", limits: exchange.limits)
        let transfer = below.transfer(for: exchange, reportingTo: sink, state: decoder) {
            decoder, report in
            do throws(Exchange.Failure) {
                var body: [Exchange.Chunk] = []
                for chunk in report.body {
                    body += try decoder.decode(chunk.withUnsafeBytes { Data($0) })
                }
                report.body = body
            } catch {
                report.end = Exchange.End(failure: error)
            }
        }
        transfer.begin()
        below.report(
            Exchange.Report(
                head: Exchange.Head(statusCode: 200), body: [Exchange.Chunk(Data("a".utf8))],
                end: Exchange.End()))
        #expect(sink.failures.withLock { $0 } == [nil])
    }
}
