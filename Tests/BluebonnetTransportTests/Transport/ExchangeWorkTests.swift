import BluebonnetTestSupport
import Foundation
import Testing

@testable import BluebonnetTransport

@Suite("Exchanges as work for a clock", .timeLimit(.minutes(1)))
struct ExchangeWorkTests {
    /// A clock that counts work and records the lowest count.
    private final class Counter: WorkObservingClock {
        private let state = Locked((count: 0, lowest: 0))

        var count: Int { state.withLock { $0.count } }
        var lowest: Int { state.withLock { $0.lowest } }

        func workDidBegin() { state.withLock { $0.count += 1 } }

        func workDidEnd() {
            state.withLock { state in
                state.count -= 1
                state.lowest = min(state.lowest, state.count)
            }
        }

        var taskExecutor: any TaskExecutor { globalConcurrentExecutor }
        var now: Duration { .zero }
        var date: Date { Date(timeIntervalSinceReferenceDate: 0) }

        func schedule(
            after delay: Duration, _ action: @escaping @Sendable () -> Void
        ) -> any SessionTimer {
            SystemClock().schedule(after: delay, action)
        }
    }

    /// Keeps its transfers, which the test answers.
    private struct Manual: Transport {
        var isTakenOver = false

        func transfer(
            for exchange: Exchange, reportingTo sink: any ExchangeSink
        ) -> any Transfer {
            if isTakenOver { exchange.takeOverWork() }
            return AnsweringTransfer(exchange, reportingTo: sink) { _ in }
        }
    }

    private final class Deaf: ExchangeSink {
        func receive(_ report: consuming Exchange.Report) {}
    }

    private let clock = Counter()

    private func exchange(window: Int? = nil) -> Exchange {
        var exchange = Exchange(method: "GET", url: "http://a.test/", pool: Exchange.Pool())
        exchange.receiveWindow = window
        return exchange
    }

    private func transfer(on transport: some Transport, window: Int? = nil) -> any Transfer {
        transport.countingWork(on: clock).transfer(
            for: exchange(window: window), reportingTo: Deaf())
    }

    @Test("an exchange is work from begin to end, except while it is suspended")
    func control() {
        let transfer = transfer(on: Manual())
        #expect(clock.count == 0)
        transfer.begin()
        #expect(clock.count == 1)
        transfer.suspend()
        #expect(clock.count == 0)
        transfer.resume()
        #expect(clock.count == 1)
        transfer.cancel()
        #expect(clock.count == 0)
    }

    @Test("an exchange whose transport has taken over the work is not counted")
    func takenOver() {
        let transfer = transfer(on: Manual(isTakenOver: true))
        transfer.begin()
        #expect(clock.count == 0)
        transfer.cancel()
        #expect(clock.count == 0 && clock.lowest == 0)
    }

    @Test("below a transport that has taken over, work can be counted again")
    func countedBelow() {
        struct Holding: Transport {
            let clock: Counter

            func transfer(
                for exchange: Exchange, reportingTo sink: any ExchangeSink
            ) -> any Transfer {
                exchange.takeOverWork()
                return Manual().countingWork(on: clock).transfer(for: exchange, reportingTo: sink)
            }
        }
        let transfer = transfer(on: Holding(clock: clock))
        transfer.begin()
        #expect(clock.count == 1)
        transfer.cancel()
        #expect(clock.count == 0)
    }

    @Test("an exchange with a full window is not work until a quarter is left")
    func window() {
        let work = ExchangeWork(window: 100, clock)
        work.begin()
        for (change, count) in [(99, 1), (1, 0), (50, 0), (-100, 0), (-24, 0), (-1, 1), (70, 1)] {
            work.change { $0.window?.count(change) }
            #expect(clock.count == count, "\(change)")
        }
        work.end()
        #expect(clock.count == 0)
    }

    @Test("a canceled exchange is work until its end, even with a full window")
    func cancelled() {
        let work = ExchangeWork(window: 10, clock)
        work.begin()
        work.change { $0.window?.count(10) }
        #expect(clock.count == 0)
        work.willBeCancelled()
        #expect(clock.count == 1)
        work.end()
        #expect(clock.count == 0)
    }

    // MARK: Storm

    /// Answers in pieces on its own threads.
    private struct Busy: Transport {
        let queue = DispatchQueue(label: "busy", attributes: .concurrent)

        func transfer(
            for exchange: Exchange, reportingTo sink: any ExchangeSink
        ) -> any Transfer {
            AnsweringTransfer(exchange, reportingTo: sink) { [queue] transfer in
                queue.async {
                    for _ in 0..<20 {
                        transfer.report(Exchange.Report(body: [Exchange.Chunk(Data(count: 7))]))
                    }
                    transfer.report(Exchange.Report(end: Exchange.End()))
                }
            }
        }
    }

    /// Consumes its reports a little later, on another thread.
    private final class Reader: ExchangeSink {
        private let queue: DispatchQueue
        private let ends: DispatchGroup
        private let transfer = Locked<(any Transfer)?>(nil)

        init(on queue: DispatchQueue, _ ends: DispatchGroup) {
            self.queue = queue
            self.ends = ends
            ends.enter()
        }

        func read(_ transfer: any Transfer) { self.transfer.withLock { $0 = transfer } }

        func receive(_ report: consuming Exchange.Report) {
            let count = report.body.reduce(0) { $0 + $1.count }
            let isEnd = report.end != nil
            queue.async { [self] in
                let transfer = transfer.withLock { transfer in
                    defer { if isEnd { transfer = nil } }
                    return transfer
                }
                if count > 0 { transfer?.didConsume(count) }
                if isEnd { ends.leave() }
            }
        }
    }

    @Test("on any threads, all work ends, and none ends before it begins")
    func storm() {
        let seed = SeededGenerator.givenSeed ?? UInt64.random(in: 0...UInt64.max)
        let transport = Busy().countingWork(on: clock)
        let (reading, ends) = (
            DispatchQueue(label: "reader", attributes: .concurrent), DispatchGroup()
        )
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            var random = SeededGenerator(seed: seed &+ UInt64(thread))
            for _ in 0..<500 {
                let reader = Reader(on: reading, ends)
                let transfer = transport.transfer(
                    for: exchange(window: [nil, 1, 10, 50].randomElement(using: &random) ?? nil),
                    reportingTo: reader)
                reader.read(transfer)
                transfer.begin()
                for _ in 0..<Int.random(in: 0..<6, using: &random) {
                    switch Int.random(in: 0..<6, using: &random) {
                    case 0: transfer.cancel()
                    case 1: transfer.abort()
                    case 2, 3: transfer.suspend()
                    default: transfer.resume()
                    }
                }
                transfer.resume()
            }
        }
        #expect(ends.wait(timeout: .now() + 30) == .success, "BLUEBONNET_SEED=\(seed)")
        // A reader's calls after the end are counted last.
        reading.sync(flags: .barrier) {}
        #expect(clock.count == 0 && clock.lowest == 0, "BLUEBONNET_SEED=\(seed)")
    }
}
