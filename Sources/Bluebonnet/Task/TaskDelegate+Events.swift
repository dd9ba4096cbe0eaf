// Where it is told what happens to a task.
extension TaskDelegate {
    /// Tells everybody who wants to hear of an event: the only place from which that is done.
    ///
    /// Monitors and observers are told through the task's list of effects, so in the order of what was
    /// decided under its lock; what ``TaskRun`` decides comes through there by itself. A hook that observes
    /// is called here, before this returns.
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

    /// Queues an event of a task that others do not know yet, until ``actOnQueued()``; false if nobody
    /// wants to be told.
    func queueIfMonitored(_ kind: TaskEvent.Kind) -> Bool {
        guard session.audience.monitored.contains(kind.interest) else { return false }
        queue(kind)
        return true
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
        // Nobody may hold it any more, as when a handler is added after the end.
        let task = event.task ?? state.withLock { $0.knownTask } ?? makeTask()
        session.audience.tell(
            TaskEvent(kind: event.kind, task: task, attempt: event.attempt, date: event.date),
            event.content)
    }
}

extension TaskState {
    /// The task as its holders know it; nil once nobody holds it.
    var knownTask: SessionTask? { held?.task ?? task }
}
