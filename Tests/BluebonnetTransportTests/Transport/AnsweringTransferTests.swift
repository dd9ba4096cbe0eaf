import BluebonnetTransport
import Foundation
import Testing

@Suite("Transfers whose responses a transport creates", .timeLimit(.minutes(5)))
struct AnsweringTransferTests {
    /// Records the reports in order.
    private final class Sink: ExchangeSink {
        let words = Locked<[String]>([])
        let underWay = Locked((now: 0, most: 0))

        var heard: [String] { words.withLock { $0 } }

        func receive(_ report: consuming Exchange.Report) {
            underWay.withLock { count in
                count.now += 1
                count.most = max(count.most, count.now)
            }
            var word = report.head.map { "\($0.statusCode)" } ?? ""
            for chunk in report.body {
                word += chunk.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
            }
            if let end = report.end { word += end.failure.map { ".\($0.code.rawValue)" } ?? "." }
            words.withLock { $0.append(word) }
            underWay.withLock { $0.now -= 1 }
        }
    }

    private let sink = Sink()
    private let cancelled = ".\(URLError.Code.cancelled.rawValue)"

    private func transfer(
        window: Int? = nil, answer: @escaping @Sendable (AnsweringTransfer) -> Void = { _ in }
    ) -> AnsweringTransfer {
        var exchange = Exchange(
            method: "GET", url: "http://stub.test/", pool: Exchange.Pool())
        exchange.receiveWindow = window
        return AnsweringTransfer(exchange, reportingTo: sink, answer: answer)
    }

    private func body(_ text: String) -> Exchange.Report {
        Exchange.Report(body: [Exchange.Chunk(Data(text.utf8))])
    }

    @Test("nothing is reported before begin(), and the answer closure is called once")
    func beginning() {
        let count = Locked(0)
        let transfer = transfer { _ in count.withLock { $0 += 1 } }
        transfer.reply(200)
        #expect(sink.heard.isEmpty && count.withLock { $0 } == 0)
        transfer.begin()
        transfer.begin()
        transfer.reply(201)
        #expect(sink.heard == ["201."] && count.withLock { $0 } == 1)
    }

    @Test("one that is canceled before begin() ends as canceled in it, without an answer")
    func cancelledBefore() {
        let count = Locked(0)
        let transfer = transfer { _ in count.withLock { $0 += 1 } }
        transfer.cancel()
        #expect(sink.heard.isEmpty && transfer.isOver)
        transfer.begin()
        #expect(sink.heard == [cancelled] && count.withLock { $0 } == 0)
    }

    @Test("after an end of any kind, nothing is reported")
    func behindTheEnd() {
        let transfer = transfer()
        transfer.begin()
        transfer.reply(200, body: Data("a".utf8))
        transfer.report(body("b"))
        transfer.fail(Exchange.Failure(.timedOut, message: ""))
        transfer.cancel()
        #expect(sink.heard == ["200a."] && transfer.isOver)
    }

    @Test("reports wait during a suspend and keep their order, and a cancel replaces them")
    func suspended() {
        let (first, second) = (transfer(), transfer())
        first.begin()
        first.suspend()
        first.report(Exchange.Report(head: Exchange.Head(statusCode: 200)))
        first.report(body("a"))
        #expect(sink.heard.isEmpty)
        first.resume()
        #expect(sink.heard == ["200", "a"])
        second.suspend()
        second.begin()
        second.reply(200)
        #expect(sink.heard.count == 2)
        second.cancel()
        second.resume()
        #expect(sink.heard == ["200", "a", cancelled])
    }

    @Test(
        "pieces are delivered up to the window, and at least one",
        arguments: [(3, ["200", "ab", "cd"]), (2, ["200", "ab"]), (0, ["200", "ab"])])
    func window(size: Int, heard: [String]) {
        let transfer = transfer(window: size)
        transfer.begin()
        transfer.report(Exchange.Report(head: Exchange.Head(statusCode: 200)))
        for text in ["ab", "cd", "ef"] { transfer.report(body(text)) }
        transfer.report(Exchange.Report(end: Exchange.End()))
        #expect(sink.heard == heard)
        for _ in 0..<3 { transfer.didConsume(2) }
        #expect(sink.heard == ["200", "ab", "cd", "ef", "."])
    }

    /// Blocks the thread that delivers the first report.
    private final class Holding: ExchangeSink {
        let threads = Locked<[pthread_t]>([])
        let (entered, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))

        func receive(_ report: consuming Exchange.Report) {
            let count = threads.withLock { threads in
                threads.append(pthread_self())
                return threads.count
            }
            entered.signal()
            if count == 1 { gate.wait() }
        }
    }

    @Test("a report during another thread's delivery is left to that thread")
    func oneDelivers() {
        let sink = Holding()
        let exchange = Exchange(method: "GET", url: "http://stub.test/", pool: Exchange.Pool())
        let transfer = AnsweringTransfer(exchange, reportingTo: sink) { _ in }
        transfer.begin()
        let (first, second) = (body("a"), body("b"))
        Thread.detachNewThread { transfer.report(first) }
        sink.entered.wait()
        transfer.report(second)
        #expect(sink.threads.withLock { $0.count } == 1)
        sink.gate.signal()
        sink.entered.wait()
        let threads = sink.threads.withLock { $0 }
        #expect(threads.count == 2 && pthread_equal(threads[0], threads[1]) != 0)
    }

    @Test("concurrent reports are delivered one at a time, with one end")
    func threads() async {
        let transfer = transfer()
        transfer.begin()
        let text = body("a")
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<500 { transfer.report(text) }
                    transfer.fail(Exchange.Failure(.timedOut, message: ""))
                }
            }
        }
        #expect(sink.underWay.withLock { $0.most } == 1)
        #expect(sink.heard.count { $0.hasPrefix(".") } == 1)
        #expect(sink.heard.last?.hasPrefix(".") == true)
    }
}
