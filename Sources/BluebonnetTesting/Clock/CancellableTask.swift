import Bluebonnet

/// The Swift task of one exchange, which is work to the exchange's clock only while it runs.
final class CancellableTask: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var isCancelled = false
    }

    private let executor: (any TaskExecutor)?
    private let state = Locked(State())

    init(on clock: any SessionClock) {
        executor = (clock as? any WorkObservingClock)?.taskExecutor
    }

    /// Runs a closure in place of the one before, which has come to its end.
    func run(_ body: @escaping @Sendable () async -> Void) {
        let task = Task(executorPreference: executor, operation: body)
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    /// Cancels what runs, and what will.
    @Sendable func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task.take()
        }
        task?.cancel()
    }
}
