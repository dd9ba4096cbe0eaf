// Where it is told what happens to a task.
extension TaskDelegate {
    /// Tells hooks, monitors and observers of notifications of an event.
    ///
    /// Monitors and observers are told through the task's list of effects, and so in the order of what was
    /// decided under its lock. Events that ``TaskRun`` decides go onto that list directly. A hook that
    /// observes is called before this returns.
    func emit(_ kind: TaskEvent.Kind, _ content: (any NotificationContent)? = nil) {
        let (interest, audience) = (kind.interest, session.audience)
        if audience.monitored.contains(interest) {
            queue(kind, content)
            actOnQueued()
        }
        if audience.hooked.contains(interest), let manager, let task {
            manager.callHook(for: kind, of: task)
        }
    }

    /// Queues an event until ``actOnQueued()``; false if nobody is interested in it.
    func queueIfMonitored(_ kind: TaskEvent.Kind) -> Bool {
        guard session.audience.monitored.contains(kind.interest) else { return false }
        queue(kind)
        return true
    }

    /// Tells the clock whether the task works, where that has changed.
    func noteWork() {
        guard session.work.isObserved else { return }
        // Before it is decided, or another thread could tell of the end of work before its begin is told.
        session.work.begin()
        let beginsWork = state.withLock { $0.noteWork() }
        actOnQueued()
        if !beginsWork { session.work.end() }
    }

    /// Does what has been queued, where no other thread does.
    func actOnQueued() {
        if state.withLock({ $0.run.effects.begin() }) { act() }
    }

    private func queue(_ kind: TaskEvent.Kind, _ content: (any NotificationContent)? = nil) {
        let date = session.clock.date
        state.withLock { state in
            state.run.effects.append(
                .tell(
                    PendingEvent(
                        kind: kind, attempt: state.run.attempt, date: date, task: state.knownTask,
                        content: content)))
        }
    }

    /// Whether anybody wants to hear of what takes some work to tell.
    func isHeard(_ interest: TaskEvent.Interests) -> Bool { session.audience.hears(interest) }

    /// Tells monitors and observers of an event whose turn it is.
    func tell(_ event: PendingEvent) {
        // The task may have been released, as when a handler is added after the end.
        let task = event.task ?? state.withLock { $0.knownTask } ?? makeTask()
        session.audience.tell(
            TaskEvent(kind: event.kind, task: task, attempt: event.attempt, date: event.date),
            event.content)
    }
}

extension TaskState {
    /// The task object in use; nil once it was released.
    var knownTask: SessionTask? { held?.task ?? task }
}
