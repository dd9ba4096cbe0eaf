import BluebonnetTransport
import Foundation
import FoundationNetworking

// What the task's holder does, on the holder's thread.
extension TaskDelegate {
    func adopt(_ task: SessionTask) {
        state.withLock { $0.task = task }
    }

    func resume(_ task: SessionTask) {
        // Nil where there is nothing to start, and holds nil where the manager is gone.
        let start: SessionManager?? = perform { state in
            switch state.lifecycle.resume() {
            case .start: post(.taskDidResume, of: task, after: &state)
            case .unpause(let transfer):
                post(.taskDidResume, of: task, after: &state)
                if let transfer { state.effects.append(.unpause(transfer)) }
                return nil
            default: return nil
            }
            // Under the lock, or a cancel that comes next could leave the group first.
            setup.group?.enter()
            let manager = session.owner.manager
            state.held = (task, manager)
            state.startDate = Date()
            state.startTime = DispatchTime.now().uptimeNanoseconds
            return .some(manager)
        }
        guard let manager = start else { return }
        if session.activeHooks.contains(anyOf: .start) { manager?.willStart(task) }
        begin(hasManager: manager != nil)
    }

    func suspend(_ task: SessionTask) {
        perform { state in
            guard case .pause(let transfer) = state.lifecycle.suspend() else { return }
            post(.taskDidSuspend, of: task, after: &state)
            if let transfer { state.effects.append(.pause(transfer)) }
        }
    }

    func cancel(_ task: SessionTask) {
        perform { state in
            let before = state.lifecycle.phase
            let action = state.lifecycle.cancel()
            guard before != .canceling, state.lifecycle.phase == .canceling else { return }
            post(.taskDidCancel, of: task, after: &state)
            switch action {
            case .cancel(let transfer): state.effects.append(.cancel(transfer))
            case .finish(let isFirst):
                if isFirst {
                    state.held = (task, session.owner.manager)
                    setup.group?.enter()
                }
                state.effects.append(.finish)
            default: break
            }
        }
    }

    func cancel(
        _ task: SessionTask,
        byProducingResumeData handler: @escaping @Sendable (Data?) -> Void
    ) {
        let isTooLate = state.withLock { state in
            if case .completed = state.lifecycle.phase { return true }
            state.resumeDataHandlers.append(handler)
            return false
        }
        guard !isTooLate else {
            return session.callbacks.dispatchQueue.async { handler(nil) }
        }
        cancel(task)
    }

    /// Decides under the lock, and does what follows outside it, in the order of the decisions.
    @discardableResult
    func perform<Result>(_ decide: (inout TaskState) -> Result) -> Result {
        let (result, acts) = state.withLock { state in
            let result = decide(&state)
            return (result, state.effects.begin())
        }
        guard acts else { return result }
        while let effect = state.withLock({ $0.effects.next() }) { act(effect) }
        return result
    }

    /// Has a notification posted outside the lock, in the order of the decisions.
    func post(
        _ event: NotificationNames.Event,
        of task: SessionTask,
        _ content: (any NotificationContent)? = nil,
        after state: inout TaskState
    ) {
        guard session.notifications.isNeeded else { return }
        let notification = PendingNotification(event: event, object: task, content: content)
        state.effects.append(.post(notification))
    }

    private func act(_ effect: TaskEffect) {
        switch effect {
        case .pause(let transfer): transfer.suspend()
        case .unpause(let transfer): transfer.resume()
        case .cancel(let transfer): transfer.cancel()
        case .post(let notification): session.notifications.post(notification)
        case .finish: session.send(.failure(.cancelled(.init())), to: address)
        }
    }

    /// Completes a task that is released without ever having been resumed.
    func taskWillBeReleased() {
        guard isNew else { return }
        // The task is in its deinit, so hooks and observers get another of the same kind.
        cancel(makeTask())
    }

    var manager: SessionManager? {
        state.withLock { $0.held?.manager } ?? session.owner.manager
    }
}

extension TaskDelegate: GatheringSink {
    package func gather(_ deliver: () -> Void) { HandlerPool.shared.gather(deliver) }

    /// Passes a report on to the manager's callback queue.
    ///
    /// Called by the transport.
    public func receive(_ report: consuming Exchange.Report) {
        session.send(.report(report), to: address)
    }
}
