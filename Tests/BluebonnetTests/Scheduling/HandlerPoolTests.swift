import Foundation
import Testing

@testable import Bluebonnet
@testable import BluebonnetTransport

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

    @Test("the maximum number of handlers can wait for each other")
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
                // None of them continues before all of them are running.
                if isLast { for _ in 0..<count { all.signal() } }
                all.wait()
                log.add(number)
            }
        }
        await log.wait(for: count)
    }

    @Test("batches run while the maximum number of handlers block, and handlers they add wait")
    func batches() async {
        let gate = DispatchSemaphore(value: 0)
        let began = Recorder<Void>()
        for _ in 0..<Self.maximumHandlers {
            pool.async {
                began.add(())
                gate.wait()
            }
        }
        await began.wait(for: Self.maximumHandlers)
        for number in 0..<6 {
            pool.run { [log, pool] in
                log.add(number)
                pool.async { began.add(()) }
            }
        }
        #expect(await log.wait(for: 6).sorted() == Array(0..<6))
        #expect(began.count == Self.maximumHandlers)
        for _ in 0..<Self.maximumHandlers { gate.signal() }
        await began.wait(for: Self.maximumHandlers + 6)
    }

    @Test("handlers that one batch adds and that wait for each other all run")
    func broughtTogether() async {
        let arrived = Locked(0)
        let all = DispatchSemaphore(value: 0)
        pool.run { [log, pool] in
            for number in 0..<Self.maximumHandlers {
                pool.async {
                    let isLast = arrived.withLock { arrived in
                        arrived += 1
                        return arrived == Self.maximumHandlers
                    }
                    if isLast { for _ in 0..<Self.maximumHandlers { all.signal() } }
                    all.wait()
                    log.add(number)
                }
            }
        }
        await log.wait(for: Self.maximumHandlers)
    }

    @Test("a handler that blocks delays the next one by a few ticks only")
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
        // A tick is four milliseconds. The rest is for machines that are busy with other tests.
        #expect(waited < .milliseconds(500))
        gate.signal()
    }

    @Test("handlers beyond the maximum run when a worker is free")
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

    @Test("a handler that a batch adds runs even if the batch waits for it")
    func awaitedByBatch() async {
        let done = DispatchSemaphore(value: 0)
        pool.run { [log, pool] in
            pool.async {
                log.add(1)
                done.signal()
            }
            done.wait()
        }
        await log.wait(for: 1)
    }

    @Test("handlers that block for milliseconds run concurrently, with batches in between")
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
        pool.run { begun.add(clock.now) }
        // In sequence they would take 768 milliseconds.
        #expect(await begun.wait(for: 1)[0] - start < .milliseconds(300))
        await log.wait(for: 256)
    }

    @Test("a low-priority batch runs soon on an idle pool")
    func afterwards() async {
        pool.runAfterwards { [log, pool] in
            log.add(1)
            pool.runAfterwards { log.add(2) }
        }
        #expect(await log.wait(for: 2) == [1, 2])
    }

    @Test("a low-priority batch can block forever without delaying others of its kind")
    func blockedAfterwards() async {
        let gate = DispatchSemaphore(value: 0)
        let began = Recorder<Void>()
        for _ in 0..<3 * Self.maximumHandlers {
            pool.runAfterwards {
                began.add(())
                gate.wait()
            }
        }
        await began.wait(for: 3 * Self.maximumHandlers)
        pool.async { [log] in log.add(1) }
        await log.wait(for: 1)
        for _ in 0..<3 * Self.maximumHandlers { gate.signal() }
    }

    @Test("idle workers exit, and the pool is released with the last of them")
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

    @Test("several pools are watched, and a blocked one does not delay the others")
    func severalPools() async {
        let gate = DispatchSemaphore(value: 0)
        let pools = (0..<3).map { _ in HandlerPool(maximumHandlers: 4) }
        // In each pool, the second handler waits behind the first, which blocks.
        for (number, pool) in pools.enumerated() {
            pool.async { gate.wait() }
            pool.async { [log] in log.add(number) }
        }
        #expect(await log.wait(for: 3).sorted() == [0, 1, 2])
        for _ in pools { gate.signal() }
    }

    @Test("2,200 short jobs start few threads, even on a machine that stalls")
    func fewThreads() async {
        let starts = Recorder<Void>()
        let pool = HandlerPool(maximumHandlers: 8, coreCount: 1) { body throws(ThreadNotStarted) in
            starts.add(())
            try NamedThread.startDetached("test", running: body)
        }
        for round in 1...200 {
            pool.gather {
                pool.run { [log, pool] in
                    for _ in 0..<10 { pool.async { log.add(round) } }
                }
            }
            await log.wait(for: round * 10)
        }
        // A worker, a watcher, and one more for each worker that the machine stalls. The tests of
        // the schedule check the exact number.
        #expect(starts.count <= 20)
    }

    @Test("no job is lost while threads cannot be started", arguments: [1, 2, 3, 20])
    func threadNotStarted(failures: Int) async {
        let attempts = Locked(0)
        let pool = HandlerPool(maximumHandlers: 8) { body throws(ThreadNotStarted) in
            let number = attempts.withLock { attempts in
                attempts += 1
                return attempts
            }
            if number <= failures { throw ThreadNotStarted(code: EAGAIN) }
            try NamedThread.startDetached("test", running: body)
        }
        pool.runAfterwards { [log] in log.add(0) }
        pool.run { [log, pool] in
            log.add(1)
            pool.async { log.add(2) }
        }
        let gate = DispatchSemaphore(value: 0)
        pool.async { [log] in
            log.add(3)
            gate.wait()
        }
        pool.async { [log] in log.add(4) }
        #expect(await log.wait(for: 5).sorted() == Array(0..<5))
        gate.signal()
        #expect(attempts.withLock { $0 } > failures)
    }
}
