import Foundation

/// An executor that reports Swift tasks to a clock as work while they run or are ready to run.
final class CountingExecutor: TaskExecutor {
    private let clock: ManualClock
    private static let queue = DispatchQueue(
        label: "bluebonnet.manual-clock", attributes: .concurrent)

    init(clock: ManualClock) {
        self.clock = clock
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        clock.workDidBegin()
        Self.queue.async { [self] in
            job.runSynchronously(on: asUnownedTaskExecutor())
            clock.workDidEnd()
        }
    }
}
