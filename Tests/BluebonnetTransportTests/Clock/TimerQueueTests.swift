import BluebonnetTestSupport
import Foundation
import Testing

@testable import BluebonnetTransport

@Suite("Queues of timers", .timeLimit(.minutes(5)))
struct TimerQueueTests {
    @Test("timers are ordered by deadline, then by creation")
    func order() {
        var queue = TimerQueue()
        let called = Locked<[Int]>([])
        let seconds = [3, 1, 2, 1, 3, 0]
        for (number, second) in seconds.enumerated() {
            _ = queue.add(at: .seconds(second)) { called.withLock { $0.append(number) } }
        }
        #expect(queue.firstDeadline == .zero)
        while let due = queue.takeFirst(dueAt: .seconds(3)) { due.action() }
        #expect(called.withLock { $0 } == [5, 1, 3, 2, 0, 4])
    }

    @Test("a timer expires at its deadline and not before")
    func due() {
        var queue = TimerQueue()
        _ = queue.add(at: .seconds(2)) {}
        #expect(queue.takeFirst(dueAt: .seconds(2) - .nanoseconds(1)) == nil)
        #expect(queue.takeFirst(dueAt: .seconds(2))?.deadline == .seconds(2))
        #expect(queue.takeFirst(dueAt: .seconds(9)) == nil)
    }

    @Test("a timer that was taken or removed cannot be removed again")
    func removedTwice() {
        var queue = TimerQueue()
        let first = queue.add(at: .seconds(1)) {}
        let second = queue.add(at: .seconds(2)) {}
        #expect(queue.takeFirst(dueAt: .seconds(1)) != nil)
        #expect(queue.remove(first) == nil)
        #expect(queue.remove(second) != nil)
        #expect(queue.remove(second) == nil)
        #expect(queue.count == 0)
    }

    @Test("random additions and removals keep the rest in order")
    func random() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<100 {
            var queue = TimerQueue()
            var timers: [QueuedTimer] = []
            for _ in 0..<200 {
                if let timer = timers.randomElement(using: &generator),
                    Bool.random(using: &generator)
                {
                    timers.removeAll { $0 === timer }
                    #expect(queue.remove(timer) != nil)
                } else {
                    let deadline = Duration.seconds(Int.random(in: 0..<20, using: &generator))
                    timers.append(queue.add(at: deadline) {})
                }
            }
            var deadlines: [Duration] = []
            while let due = queue.takeFirst(dueAt: .seconds(20)) { deadlines.append(due.deadline) }
            #expect(deadlines == timers.map(\.deadline).sorted())
        }
    }

    @Test(
        "any number of seconds becomes a valid delay",
        arguments: [
            (0, .zero), (-1, .zero), (1.5, .milliseconds(1500)), (.nan, .zero),
            (.infinity, .longestDelay), (-.infinity, .zero), (1e300, .longestDelay),
        ] as [(TimeInterval, Duration)])
    func delays(seconds: TimeInterval, delay: Duration) {
        #expect(Duration(delayInSeconds: seconds) == delay)
    }

    @Test("durations too long for a clock are shortened, and negative ones are zero")
    func clampedDurations() {
        let largest = Duration(attoseconds: .max)
        #expect(largest.clampedToDelay == .longestDelay)
        #expect(Duration(attoseconds: .min).clampedToDelay == .zero)
        #expect(Duration.seconds(5).clampedToDelay == .seconds(5))
    }
}
