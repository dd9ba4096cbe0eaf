import BluebonnetTransport
import Foundation

extension SessionManager {
    /// Ends the session in good order: lets its tasks end, delivers everything, and closes its
    /// connections.
    ///
    /// Tasks that were never resumed are cancelled, and those that are resumed from now on fail with
    /// ``BluebonnetError/sessionInvalidated(_:)``. It returns when each handler has returned, and the
    /// notifications, events and ``sessionDidBecomeInvalid(error:)`` have been delivered; so do not await
    /// it in a handler. Awaiting it again waits for the same end. Cancelling the Swift task that awaits it ends
    /// the time of grace. Tasks of a session that ``invalidate(cancelingTasks:resetSession:)`` has
    /// replaced are not waited for.
    ///
    /// - Parameter grace: How long tasks under way have to end before they are cancelled, by the
    ///   configuration's clock; nil for as long as they take.
    public func shutdown(cancelingAfter grace: Duration? = nil) async {
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
        // Explicitly, because a task that is kept also keeps its pools.
        await pools.close()
    }
}

extension SessionCore {
    func cancelAllTasks() {
        // The last ones first, or each cancel would let the next waiting task begin.
        for delegate in map.withLock({ $0.all }).reversed() {
            if let task = delegate.task { delegate.cancel(task, because: .shutdown) }
        }
    }
}

/// Counts the tasks whose completion is to be delivered, for those who wait for the last.
final class UndeliveredTasks: Sendable {
    private struct State {
        var count = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())

    func enter() {
        state.withLock { $0.count += 1 }
    }

    func leave() {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.count -= 1
            guard state.count == 0, !state.waiting.isEmpty else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns when there is none, at once if there is none now.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if state.count > 0 { state.waiting.append(continuation) }
                return state.count == 0
            }
            if isDone { continuation.resume() }
        }
    }
}
