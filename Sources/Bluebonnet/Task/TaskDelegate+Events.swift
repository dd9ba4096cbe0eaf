import Foundation

// Reporting the events of a task.
extension TaskDelegate {
    /// Reports an event to hooks, monitors and observers of notifications.
    ///
    /// Monitors and observers receive events through the task's list of effects, in the order in
    /// which they were decided under its lock. Events that ``TaskRun`` decides are added to that
    /// list directly. An observing hook is called before this method returns.
    func emit(_ kind: TaskEvent.Kind, _ content: (any NotificationContent)? = nil) {
        if session.audience.monitored.contains(kind.interest) {
            let date = session.clock.date
            let effects = state.withLock { state in
                state.queue(kind, content, at: date)
                return state.run.effects.begin()
            }
            if let effects { EffectStage(self).act(effects) }
        }
        callHook(for: kind)
    }

    /// Calls the hook that observes events of this kind, if it is set.
    func callHook(for kind: TaskEvent.Kind) {
        guard session.audience.hooked.contains(kind.interest), let manager, let task else { return }
        manager.callHook(for: kind, of: task)
    }

    /// Queues an event until ``actOnQueued()``, and returns false if no monitor or observer wants
    /// it.
    func queueIfMonitored(_ kind: TaskEvent.Kind) -> Bool {
        guard session.audience.monitored.contains(kind.interest) else { return false }
        let date = session.clock.date
        state.withLock { $0.queue(kind, at: date) }
        return true
    }

    /// Reports to the clock whether the task is working, if that has changed.
    func noteWork() {
        guard session.work.isObserved else { return }
        // Before the decision, or another thread could report the end of work before its beginning.
        session.work.begin()
        let beginsWork = state.withLock { $0.noteWork() }
        actOnQueued()
        if !beginsWork { session.work.end() }
    }

    /// Performs the queued effects, unless another thread is doing so.
    func actOnQueued() {
        if let effects = state.withLock({ $0.run.effects.begin() }) {
            EffectStage(self).act(effects)
        }
    }

    /// Returns whether a hook, monitor or observer wants an event that is expensive to create.
    func isHeard(_ interest: TaskEvent.Interests) -> Bool { session.audience.hears(interest) }
}

extension TaskState {
    fileprivate mutating func queue(
        _ kind: TaskEvent.Kind, _ content: (any NotificationContent)? = nil, at date: Date
    ) {
        run.effects.append(
            .tell(
                PendingEvent(
                    kind: kind, attempt: run.attempt, date: date, task: knownTask,
                    content: content, isAfterValidation: attempt.hasValidated)))
        if case .validated = kind { attempt.rare.hasValidated = true }
    }

    /// The task object in use; nil once it has been released.
    var knownTask: SessionTask? { held?.task ?? task }
}
