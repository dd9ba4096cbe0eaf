import Testing
import BluebonnetTestSupport

@testable import Bluebonnet

@Suite("The states of a task, in any order of events", .timeLimit(.minutes(10)))
struct LifecycleModelTests {
    @Test(
        """
        600,000 events in any order end each task once, cancel no transfer twice, lose none, and \
        leave it paused or not as the task is
        """)
    func walks() throws {
        try RandomWalks.take(steps: 600_000) { (seed, logs) throws(RandomWalks.Failure) in
            try LifecycleModel.run(seed: seed, logs: logs)
        }
    }
}
