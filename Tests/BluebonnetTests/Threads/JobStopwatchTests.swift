import Foundation
import Testing

@testable import Bluebonnet

@Suite("What is found to hold up a worker")
struct JobStopwatchTests {
    private static let errand = WorkerRoster.Job.errand(.init(run: { false }))
    private static let handler = WorkerRoster.Job.handler(.init(run: {}))

    private var stopwatch = JobStopwatch()

    private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    private mutating func heldUp(by job: WorkerRoster.Job, _ body: () -> Void) -> Bool {
        stopwatch.begin(job, at: Self.now)
        body()
        return stopwatch.heldUp(at: Self.now)
    }

    @Test("an errand that waits for long does")
    mutating func waitingErrand() {
        let heldUp = heldUp(by: Self.errand) { usleep(3000) }
        #expect(heldUp)
    }

    @Test("an errand that computes for long does")
    mutating func computingErrand() {
        let heldUp = heldUp(by: Self.errand) {
            // The thread's own time: others of the process compute as well.
            let end = ThreadUsage.current.processorTime + 10_000_000
            while ThreadUsage.current.processorTime < end {}
        }
        #expect(heldUp)
    }

    @Test("what is soon done does not, though it waited")
    mutating func shortErrand() {
        let start = Self.now
        stopwatch.begin(Self.errand, at: start)
        usleep(100)
        let answers = [0, 1].map { stopwatch.heldUp(at: start + JobStopwatch.longErrand + $0) }
        #expect(answers == [false, true])
    }

    @Test("the first handler that waits for long is only noted, and the next of its kind does")
    mutating func handlers() {
        let answers = (0..<3).map { _ in heldUp(by: Self.handler) { usleep(1000) } }
        #expect(answers == [false, true, true])
    }

    @Test("after handlers that were short again none is measured")
    mutating func shortHandlers() {
        _ = heldUp(by: Self.handler) { usleep(1000) }
        for _ in 0..<JobStopwatch.measuredHandlers {
            let start = Self.now
            stopwatch.begin(Self.handler, at: start)
            _ = stopwatch.heldUp(at: start + JobStopwatch.longHandler)
        }
        let heldUp = heldUp(by: Self.handler) { usleep(1000) }
        #expect(!heldUp)
    }

    @Test("nothing was held up before the first job")
    mutating func nothing() {
        let heldUp = stopwatch.heldUp(at: Self.now)
        #expect(!heldUp)
    }
}
