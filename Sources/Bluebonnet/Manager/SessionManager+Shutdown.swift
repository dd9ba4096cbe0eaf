import BluebonnetTransport
import Foundation
import Synchronization

extension SessionManager {
    /// Waits for the session's tasks to end, delivers all callbacks, and closes the connections.
    ///
    /// Tasks that were never resumed are canceled. Tasks that are resumed from now on fail with
    /// ``BluebonnetError/sessionInvalidated(_:)``.
    ///
    /// The method returns when every handler has returned and all notifications, events and
    /// ``sessionDidBecomeInvalid(error:)`` have been delivered. Do not wait for it in a handler,
    /// because it waits for that handler to return. A second call waits for the same end. Canceling
    /// the Swift task that awaits it ends the grace period. It does not wait for tasks of a session
    /// that ``invalidate(cancelingTasks:resetSession:)`` has replaced.
    ///
    /// - Parameter grace: The time after which running tasks are canceled, measured by the
    ///   configuration's clock. If nil, the method waits until they end.
    public func shutdown(cancelingAfter grace: Duration? = nil) async {
        guard !ProcessFork.hasLostThreads else { return }
        let session = settings.withLock { $0.session }
        invalidate(cancelingTasks: false, resetSession: false)
        let timer = grace.map { grace in
            session.clock.schedule(after: grace) { session.cancelAllTasks() }
        }
        await withTaskCancellationHandler {
            await session.undelivered.wait()
        } onCancel: {
            session.cancelAllTasks()
        }
        timer?.cancel()
        await callbacks.flush()
        await audience.flush()
        await notifications.queue.flush()
        let pools = settings.withLock { settings in
            defer { settings.renewPools() }
            return settings.pools
        }
        // Closed explicitly, because a task that is still referenced keeps its pools alive.
        await pools.close()
    }
}

extension SessionCore {
    func cancelAllTasks() {
        // In reverse order, because each cancel would otherwise start the next waiting task.
        for delegate in map.withLock({ $0.all }).reversed() {
            if let task = delegate.task { delegate.cancel(task, because: .shutdown) }
        }
    }
}

/// Counts the tasks whose completion has not been delivered, so that callers can wait for the last.
final class UndeliveredTasks: Sendable {
    private let count = Atomic(0)
    /// Whether a caller has ever waited, so that the last task checks for waiting callers.
    private let isAwaited = Atomic(false)
    private let waiting = Locked<[CheckedContinuation<Void, Never>]>([])

    func enter() {
        count.add(1, ordering: .sequentiallyConsistent)
    }

    func leave() {
        let isLast = count.subtract(1, ordering: .sequentiallyConsistent).newValue == 0
        if isLast, isAwaited.load(ordering: .sequentiallyConsistent) { resumeIfDone() }
    }

    /// Waits until no task is left; returns at once if there is none.
    func wait() async {
        await withCheckedContinuation { continuation in
            waiting.withLock { $0.append(continuation) }
            // Before the look at the count, or the last task could leave between the two.
            isAwaited.store(true, ordering: .sequentiallyConsistent)
            resumeIfDone()
        }
    }

    private func resumeIfDone() {
        let done = waiting.withLock { waiting -> [CheckedContinuation<Void, Never>] in
            // Under the lock, or those who wait for a task that has just begun would be resumed.
            guard count.load(ordering: .sequentiallyConsistent) == 0 else { return [] }
            defer { waiting = [] }
            return waiting
        }
        for continuation in done { continuation.resume() }
    }
}
