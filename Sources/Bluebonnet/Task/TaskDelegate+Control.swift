import BluebonnetTransport
import Foundation

// Control of a task by its caller, on any thread.
extension TaskDelegate {
    func adopt(_ task: SessionTask) {
        state.withLock { $0.task = task }
    }

    func resume(_ task: SessionTask) {
        guard !isOfParentProcess else { return }
        take(.resume, holding: task)
    }

    func suspend() {
        guard !isOfParentProcess else { return }
        take(.suspend)
    }

    func cancel(_ task: SessionTask, because cause: CancellationCause? = nil) {
        guard !isOfParentProcess else { return }
        take(.cancel(cause), holding: task)
    }

    /// Whether the task was started in the process from which this one was forked.
    ///
    /// Its connection and its file are in use there. A missing thread can hold its lock.
    private var isOfParentProcess: Bool {
        guard ProcessFork.hasLostThreads, session !== SessionCore.afterFork else { return false }
        return state.withLockIfFree { !$0.run.stage.isNew || $0.held != nil } ?? true
    }

    func cancel(
        _ task: SessionTask,
        byProducingResumeData handler: @escaping @Sendable (Data?) -> Void
    ) {
        guard !isOfParentProcess else { return HandlerPool.shared.async { handler(nil) } }
        let isTooLate = state.withLock { state in
            if state.run.stage.isFinished { return true }
            state.rare.resumeDataHandlers.append(handler)
            return false
        }
        guard !isTooLate else {
            return session.callbacks.async { handler(nil) }
        }
        cancel(task)
    }

    /// Completes a task that is released without having been resumed.
    func taskWillBeReleased() {
        guard isNew else { return }
        // The task is being deinitialized, so hooks and observers get another object.
        cancel(makeTask(), because: .neverResumed)
    }

    package var manager: SessionManager? {
        state.withLock { $0.held?.manager } ?? session.owner.manager
    }
}

extension TaskState {
    /// Keeps the task and its manager alive from the first `resume()` or cancel until the end.
    mutating func hold(_ task: SessionTask, of delegate: TaskDelegate) {
        guard run.stage.isNew, held == nil else { return }
        // Under the lock, or a cancel that follows could leave the group first.
        delegate.setup.group?.enter()
        delegate.session.undelivered.enter()
        held = (task, delegate.session.owner.manager, nil)
        if !isRareInitial { rare.managerUntilStart = nil }
        startDate = Date()
    }
}
