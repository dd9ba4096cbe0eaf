/// Runs Swift tasks on the threads of a pool of handlers.
final class HandlerExecutor: TaskExecutor {
    static let shared = HandlerExecutor(.shared)

    private let pool: HandlerPool

    init(_ pool: HandlerPool) {
        self.pool = pool
    }

    /// Adds the job behind those that wait for any worker: one of its own may be stuck in a handler.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        pool.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}

extension (any TaskExecutor)? {
    /// The threads on which Bluebonnet runs completion handlers, for Swift tasks that mostly wait for responses.
    ///
    /// ```swift
    /// let pages = try await withTaskExecutorPreference(.bluebonnet) {
    ///     var pages: [Page] = []
    ///     for number in 1...100 { pages.append(try await api.get("pages/\(number)")) }
    ///     return pages
    /// }
    /// ```
    ///
    /// Without it, Swift wakes a thread of its own each time that a task goes on. With one request at a time that was
    /// measured as 2 to 14 percent of the processor's time; with many in flight it makes no difference, since the
    /// threads are awake.
    ///
    /// Child tasks run there, too, and what they call on actors that have no executor. A job that blocks, or computes
    /// for long, keeps no other from going on, until sixty-four do, handlers among them.
    public static var bluebonnet: Self { HandlerExecutor.shared }
}
