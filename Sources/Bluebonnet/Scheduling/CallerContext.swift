import BluebonnetTransport

/// The task-local values and the priority of the Swift task that created it.
///
/// Swift passes both on only to Swift tasks that are created within one that has them. So a Swift
/// task waits until this object is released, and creates the others. It runs none of their code
/// itself, because code that never returns would hold up all that follows.
final class CallerContext: Sendable {
    typealias Work = @Sendable () -> Void

    private let works = Works()

    /// Captures the context of the current thread.
    init() {
        Task.immediate(executorPreference: ResumingThreadExecutor.shared) { [works] in
            while let work = await works.next() { work() }
        }
    }

    deinit {
        works.end()
    }

    /// Runs work that creates Swift tasks, so that they have the task-local values and the priority.
    ///
    /// The work runs on the current thread before the method returns. If another thread is running
    /// work of the context, it runs there. Without a context, it runs on the current thread.
    static func run(in context: CallerContext?, _ work: @escaping Work) {
        if let context { context.works.append(work) } else { work() }
    }

    /// The work that a context has not run yet.
    private final class Works: Sendable {
        private struct State {
            var pending: [Work] = []
            // Unsafe: it is resumed exactly once, by the code that takes it out of the state.
            var waiting: UnsafeContinuation<Work?, Never>?
            var hasEnded = false
        }

        private let state = Locked(State())

        func append(_ work: @escaping Work) {
            let waiting = state.withLock { state in
                if state.waiting == nil { state.pending.append(work) }
                return state.waiting.take()
            }
            waiting?.resume(returning: work)
        }

        func end() {
            let waiting = state.withLock { state in
                state.hasEnded = true
                return state.waiting.take()
            }
            waiting?.resume(returning: nil)
        }

        /// Waits for the next work; nil after the end.
        nonisolated(nonsending) func next() async -> Work? {
            await withUnsafeContinuation { continuation in
                let known = state.withLock { state -> Work?? in
                    if !state.pending.isEmpty { return state.pending.removeFirst() }
                    if state.hasEnded { return .some(nil) }
                    state.waiting = continuation
                    return nil
                }
                if let known { continuation.resume(returning: known) }
            }
        }
    }
}

/// Runs the jobs of a Swift task on the thread that continues it, which is not blocked for long.
private final class ResumingThreadExecutor: TaskExecutor {
    static let shared = ResumingThreadExecutor()

    func enqueue(_ job: consuming ExecutorJob) {
        UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
    }
}
