import Foundation
import Testing

@testable import Bluebonnet

@Suite("The watch over pools", .timeLimit(.minutes(5)))
struct PoolWatchTests {
    let log = Recorder<Int>()

    @Test("it is awake while something waits, sleeps for good when nothing does, and wakes again")
    func sleep() async {
        let watch = PoolWatch()
        let pool = HandlerPool(maximumHandlers: 2, watch: watch)
        #expect(!watch.isAwake)
        for _ in 0..<3 {
            pool.runAfterwards { [log] in
                log.add(0)
                return false
            }
            #expect(await until { !watch.isAwake })
        }
        #expect(log.count == 3)
    }

    @Test("it looks after several pools, and a pool that blocks holds up no other")
    func severalPools() async {
        let gate = DispatchSemaphore(value: 0)
        let pools = (0..<3).map { _ in HandlerPool(maximumHandlers: 4) }
        // In each, the second handler waits behind the first, which never returns by itself.
        for (number, pool) in pools.enumerated() {
            pool.async { gate.wait() }
            pool.async { [log] in log.add(number) }
        }
        #expect(await log.wait(for: 3).sorted() == [0, 1, 2])
        for _ in pools { gate.signal() }
    }

    @Test("a pool that has had its last handler is let go")
    func letGo() async {
        weak var former: HandlerPool?
        do {
            let pool = HandlerPool(maximumHandlers: 1, longestSleep: .milliseconds(1))
            former = pool
            for number in 0..<3 { pool.async { [log] in log.add(number) } }
            await log.wait(for: 3)
        }
        #expect(await until { former == nil })
    }
}
