import BluebonnetTestSupport
import Testing

@testable import Bluebonnet

@Suite("The life of a task, in any order of events", .timeLimit(.minutes(10)))
struct TaskRunModelTests {
    @Test(
        """
        600,000 events in any order, late, twice and after the end, bring each task to one end, leave no \
        exchange behind, and pause what is to be paused
        """)
    func walks() throws {
        try RandomWalks.take(steps: 600_000) { (seed, logs) throws(RandomWalks.Failure) in
            try TaskRunModel.run(seed: seed, logs: logs)
        }
    }
}
