import BluebonnetTestSupport
import Testing

import Bluebonnet

@Suite("The life of a task in any order of events", .timeLimit(.minutes(10)))
struct TaskRunModelTests {
    @Test(
        """
        after 600,000 events in any order, late, repeated or after the end, a task ends once, no \
        exchange is left, and exchanges are paused with their tasks
        """)
    func walks() throws {
        try RandomWalks.take(steps: 600_000) { (seed, logs) throws(RandomWalks.Failure) in
            try TaskRunModel.run(seed: seed, logs: logs)
        }
    }
}
