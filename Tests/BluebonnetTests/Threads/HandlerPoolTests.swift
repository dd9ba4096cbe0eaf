import Foundation
import Testing

@testable import Bluebonnet

@Suite("The pool of completion handlers", .timeLimit(.minutes(5)))
struct HandlerPoolTests {
    // Few, because other tests in this process count its threads.
    private static let maximumHandlers = 8
    let pool = HandlerPool(maximumHandlers: maximumHandlers)
    let log = Recorder<Int>()

    @Test("every handler of a burst runs once")
    func burst() async {
        let gate = DispatchSemaphore(value: 0)
        pool.async { gate.wait() }
        for number in 0..<100 { pool.async { [log] in log.add(number) } }
        gate.signal()
        #expect(await log.wait(for: 100).sorted() == Array(0..<100))
    }

    @Test("as many handlers as there may be workers can wait for each other")
    func blocked() async {
        let count = Self.maximumHandlers
        let arrived = Locked(0)
        let all = DispatchSemaphore(value: 0)
        for number in 0..<count {
            pool.async { [log] in
                let isLast = arrived.withLock { arrived in
                    arrived += 1
                    return arrived == count
                }
                // Only when every one of them is running does any of them go on.
                if isLast { for _ in 0..<count { all.signal() } }
                all.wait()
                log.add(number)
            }
        }
        await log.wait(for: count)
    }

    @Test("errands run while as many handlers block as there may be workers, and bring no more")
    func errands() async {
        let gate = DispatchSemaphore(value: 0)
        let began = Recorder<Void>()
        for _ in 0..<Self.maximumHandlers {
            pool.async {
                began.add(())
                gate.wait()
            }
        }
        await began.wait(for: Self.maximumHandlers)
        for number in 0..<3 {
            let times = Locked(0)
            pool.run { [log, pool] in
                log.add(number)
                pool.append { began.add(()) }
                // Twice each.
                return times.withLock { times in
                    times += 1
                    return times == 1
                }
            }
        }
        #expect(await log.wait(for: 6).sorted() == [0, 0, 1, 1, 2, 2])
        #expect(began.count == Self.maximumHandlers)
        for _ in 0..<Self.maximumHandlers { gate.signal() }
        await began.wait(for: Self.maximumHandlers + 6)
    }

    @Test("handlers that one errand brings and that wait for each other all run")
    func broughtTogether() async {
        let arrived = Locked(0)
        let all = DispatchSemaphore(value: 0)
        pool.run { [log, pool] in
            for number in 0..<Self.maximumHandlers {
                pool.append {
                    let isLast = arrived.withLock { arrived in
                        arrived += 1
                        return arrived == Self.maximumHandlers
                    }
                    if isLast { for _ in 0..<Self.maximumHandlers { all.signal() } }
                    all.wait()
                    log.add(number)
                }
            }
            return false
        }
        await log.wait(for: Self.maximumHandlers)
    }

    @Test("a handler that blocks holds the next one up for a few ticks only")
    func latency() async {
        let gate = DispatchSemaphore(value: 0)
        let began = Recorder<Void>()
        pool.async {
            began.add(())
            gate.wait()
        }
        await began.wait(for: 1)
        let clock = ContinuousClock()
        let start = clock.now
        let begun = Recorder<ContinuousClock.Instant>()
        pool.async { begun.add(clock.now) }
        let waited = await begun.wait(for: 1)[0] - start
        // The tick is four milliseconds; the rest is for a machine that is busy with other tests.
        #expect(waited < .milliseconds(500))
        gate.signal()
    }

    @Test("handlers beyond the last worker run once one is free")
    func beyond() async {
        let count = Self.maximumHandlers
        let (gate, began) = (DispatchSemaphore(value: 0), Recorder<Void>())
        for _ in 0..<count {
            pool.async {
                began.add(())
                gate.wait()
            }
        }
        await began.wait(for: count)
        pool.async { [log] in log.add(1) }
        gate.signal()
        await log.wait(for: 1)
        for _ in 1..<count { gate.signal() }
    }

    @Test("a handler that an errand has added runs, also when the errand goes on to wait for it")
    func awaitedByErrand() async {
        let done = DispatchSemaphore(value: 0)
        pool.run { [log, pool] in
            pool.append {
                log.add(1)
                done.signal()
            }
            done.wait()
            return false
        }
        await log.wait(for: 1)
    }

    @Test("handlers that block for a few milliseconds run side by side, and errands between them")
    func shortBlocks() async {
        let pool = HandlerPool(maximumHandlers: 64, coreCount: 1)
        let clock = ContinuousClock()
        let start = clock.now
        for _ in 0..<256 {
            pool.async { [log] in
                usleep(3000)
                log.add(0)
            }
        }
        let begun = Recorder<ContinuousClock.Instant>()
        pool.run {
            begun.add(clock.now)
            return false
        }
        // One after the other they would take 768 milliseconds.
        #expect(await begun.wait(for: 1)[0] - start < .milliseconds(300))
        await log.wait(for: 256)
    }

    @Test("what nobody waits for runs soon on a pool that has nothing else to do")
    func afterwards() async {
        let times = Locked(0)
        pool.runAfterwards { [log] in
            log.add(1)
            return times.withLock { times in
                times += 1
                return times < 3
            }
        }
        #expect(await log.wait(for: 3) == [1, 1, 1])
    }

    @Test("what nobody waits for may block for ever, and holds up nothing else of its kind")
    func blockedAfterwards() async {
        let gate = DispatchSemaphore(value: 0)
        let began = Recorder<Void>()
        for _ in 0..<3 * Self.maximumHandlers {
            pool.runAfterwards {
                began.add(())
                gate.wait()
                return false
            }
        }
        await began.wait(for: 3 * Self.maximumHandlers)
        pool.async { [log] in log.add(1) }
        await log.wait(for: 1)
        for _ in 0..<3 * Self.maximumHandlers { gate.signal() }
    }

    @Test("workers with nothing to do leave, and the pool with the last of them")
    func leaving() async {
        weak var remains: HandlerPool?
        func use() async {
            let pool = HandlerPool(maximumHandlers: 2, longestSleep: .milliseconds(1))
            remains = pool
            for round in 1...300 {
                if round.isMultiple(of: 3) { usleep(900) }
                pool.async { [log] in log.add(round) }
                await log.wait(for: round)
            }
        }
        await use()
        #expect(await until { remains == nil })
    }
}
