import BluebonnetTestSupport
import BluebonnetTesting
import BluebonnetTransport
import Foundation
import Testing

@Suite("Manual clocks", .timeLimit(.minutes(5)))
struct ManualClockTests {
    private let clock = ManualClock()
    private let called = Locked<[String]>([])

    /// Schedules a timer that notes its name and the time of the call.
    @discardableResult
    private func note(_ name: String, after seconds: Int) -> any SessionTimer {
        clock.schedule(after: .seconds(seconds)) { [clock, called] in
            let time = clock.now
            called.withLock { $0.append("\(name) at \(time / .seconds(1))") }
        }
    }

    private var notes: [String] { called.withLock { $0 } }

    @Test("the time does not change until it is advanced")
    func standing() async {
        note("timer", after: 0)
        #expect(clock.now == .zero)
        #expect(notes.isEmpty)
        let date = clock.date
        await clock.advance(by: .seconds(90))
        #expect(clock.now == .seconds(90))
        #expect(clock.date == date + 90)
        await clock.advance(by: .seconds(-5))
        #expect(clock.now == .seconds(90))
    }

    @Test("an advance past several timers calls each at its time, in order")
    func jump() async {
        note("c", after: 3)
        note("a", after: 1)
        note("b1", after: 2)
        note("b2", after: 2)
        note("later", after: 11)
        await clock.advance(by: .seconds(10))
        #expect(notes == ["a at 1.0", "b1 at 2.0", "b2 at 2.0", "c at 3.0"])
        #expect(clock.now == .seconds(10))
        #expect(clock.pendingCount == 1)
        await clock.advance(by: .seconds(1))
        #expect(notes.last == "later at 11.0")
    }

    @Test("timers scheduled by timers are called in the same advance if their time is reached")
    func nested() async {
        clock.schedule(after: .seconds(1)) {
            note("at once", after: 0)
            note("in time", after: 4)
            note("too late", after: 5)
        }
        note("between", after: 2)
        await clock.advance(by: .seconds(5))
        #expect(notes == ["at once at 1.0", "between at 2.0", "in time at 5.0"])
        #expect(clock.pendingCount == 1)
    }

    @Test("a canceled timer is not called, even if another timer cancels it at the same time")
    func cancellation() async {
        note("before", after: 1).cancel()
        let other = Locked<(any SessionTimer)?>(nil)
        clock.schedule(after: .seconds(2)) { other.withLock { $0 }?.cancel() }
        let timer = note("canceled", after: 2)
        other.withLock { $0 = timer }
        note("kept", after: 2)
        await clock.advance(by: .seconds(3))
        #expect(notes == ["kept at 2.0"])
        timer.cancel()
    }

    @Test("a timer can cancel itself, and a canceled timer releases its closure at once")
    func release() async {
        let own = Locked<(any SessionTimer)?>(nil)
        let timer = clock.schedule(after: .seconds(1)) {
            own.withLock { $0 }?.cancel()
            called.withLock { $0.append("itself") }
        }
        own.withLock { $0 = timer }
        await clock.advance(by: .seconds(1))
        #expect(notes == ["itself"])

        weak var held: ManualClock?
        let holding: any SessionTimer
        do {
            let captured = ManualClock()
            held = captured
            holding = clock.schedule(after: .seconds(1)) { withExtendedLifetime(captured) {} }
        }
        #expect(held != nil)
        holding.cancel()
        #expect(held == nil)
    }

    @Test("an advance waits for the work that each timer starts before it continues")
    func work() async {
        let queue = DispatchQueue(label: "work")
        for second in 1...3 {
            clock.schedule(after: .seconds(second)) {
                clock.workDidBegin()
                queue.async {
                    // The first job starts a second one.
                    clock.workDidBegin()
                    queue.async {
                        called.withLock { $0.append("done at \(clock.now / .seconds(1))") }
                        clock.workDidEnd()
                    }
                    clock.workDidEnd()
                }
            }
        }
        await clock.advance(by: .seconds(10))
        #expect(notes == ["done at 1.0", "done at 2.0", "done at 3.0"])
    }

    @Test("an advance waits for earlier work")
    func workBefore() async {
        clock.workDidBegin()
        DispatchQueue.global().async {
            note("from work", after: 1)
            clock.workDidEnd()
        }
        await clock.advance(by: .seconds(1))
        #expect(notes == ["from work at 1.0"])
    }

    @Test("idle() waits for work and does not change the time")
    func idle() async {
        note("timer", after: 0)
        clock.workDidBegin()
        DispatchQueue.global().async {
            called.withLock { $0.append("work") }
            clock.workDidEnd()
        }
        await clock.idle()
        #expect(notes == ["work"])
    }

    @Test("run moves the time only as far as its body waits")
    func run() async {
        note("leftover", after: 100)
        let result = await clock.run { [clock] in
            await clock.pause(for: 60)
            await clock.pause(for: 30)
            return clock.now
        }
        #expect(result == .seconds(90))
        #expect(clock.now == .seconds(90))
        #expect(notes.isEmpty)
    }

    @Test("run does not move the time while its body is working, however often it suspends")
    func runIsPatient() async {
        for _ in 0..<200 {
            let clock = ManualClock()
            clock.schedule(after: .seconds(1000)) {}
            await clock.run {
                for _ in 0..<3 {
                    await clock.respond()
                    await Task.yield()
                }
                #expect(clock.now == .zero)
                await withTaskGroup { group in
                    for _ in 0..<3 { group.addTask { await clock.respond() } }
                }
                #expect(clock.now == .zero)
                // Work that the clock does not count must not stop the clock forever.
                await clock.pause(for: 1)
                #expect(clock.now == .seconds(1))
            }
            #expect(clock.pendingCount == 1)
        }
    }

    @Test("run waits without timers for its body or for a later timer")
    func runWithoutTimers() async {
        let value = await clock.run { [clock] in
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    clock.schedule(after: .seconds(7)) { continuation.resume(returning: 7) }
                }
            }
        }
        #expect(value == 7)
        #expect(clock.now == .seconds(7))
    }

    @Test("run rethrows the error of its body and does not wait for other work")
    func runThrows() async {
        clock.workDidBegin()
        await #expect(throws: CancellationError.self) {
            try await clock.run { () async throws(CancellationError) in throw CancellationError() }
        }
        clock.workDidEnd()
    }

    @Test("the time can be advanced in the body of run")
    func advanceWithinRun() async {
        note("timer", after: 3)
        await clock.run { [clock] in
            await clock.advance(by: .seconds(5))
            await clock.run { await clock.pause(for: 5) }
        }
        #expect(notes == ["timer at 3.0"])
        #expect(clock.now == .seconds(10))
    }

    @Test("a thousand users who pause and retry get their answers at the right times")
    func contention() async {
        let times = await clock.run { [clock] in
            await withTaskGroup(of: (Int, Duration).self) { group in
                for user in 0..<1000 {
                    group.addTask {
                        for _ in 0..<3 { await clock.respond() }
                        await clock.pause(for: user % 10 + 1)
                        for _ in 0..<2 { await clock.respond() }
                        await clock.pause(for: user % 7)
                        await clock.respond()
                        return (user, clock.now)
                    }
                }
                return await group.reduce(into: [Int: Duration]()) { $0[$1.0] = $1.1 }
            }
        }
        for user in 0..<1000 { #expect(times[user] == .seconds(user % 10 + 1 + user % 7)) }
        #expect(clock.now == .seconds(16))
    }

    @Test("many simultaneous callers of advance call each timer once")
    func concurrentAdvance() async {
        for second in 0..<1000 { note("timer \(second)", after: second) }
        await withTaskGroup { group in
            for _ in 0..<50 { group.addTask { [clock] in await clock.advance(by: .seconds(1000)) } }
        }
        #expect(notes == (0..<1000).map { "timer \($0) at \(Double($0))" })
        #expect(clock.now >= .seconds(1000))
    }
}

extension ManualClock {
    /// Waits like a library: the clock's timer resumes the continuation as part of its work.
    fileprivate func pause(for seconds: Int) async {
        await withCheckedContinuation { continuation in
            schedule(after: .seconds(seconds)) { continuation.resume() }
        }
    }

    /// Waits for an answer that takes two jobs on other threads.
    fileprivate func respond() async {
        await withCheckedContinuation { continuation in
            workDidBegin()
            DispatchQueue.global().async { [self] in
                workDidBegin()
                DispatchQueue.global().async { [self] in
                    continuation.resume()
                    workDidEnd()
                }
                workDidEnd()
            }
        }
    }
}
