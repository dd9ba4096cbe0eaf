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
            let acts = state.withLock { state in
                state.run.effects.append(
                    .tell(kind, attempt: state.run.attempt, state.knownTask, content))
                return state.run.effects.begin()
            }
            if acts { act() }
        }
        if audience.hooked.contains(interest), let manager, let task {
            manager.callHook(for: kind, of: task)
        }
    }

    /// Whether anybody wants to hear of what takes some work to tell.
    func isHeard(_ interest: TaskEvent.Interests) -> Bool { session.audience.hears(interest) }

    /// Tells monitors and observers of an event whose turn it is.
    func tell(
        _ kind: TaskEvent.Kind, attempt: Int, _ task: SessionTask?,
        _ content: (any NotificationContent)?
    ) {
        // Nobody may hold it any more, as when a handler is added after the end.
        let task = task ?? state.withLock { $0.knownTask } ?? makeTask()
        session.audience.tell(
            TaskEvent(kind: kind, task: task, attempt: attempt, date: session.clock.date), content)
    }
}

extension TaskState {
    /// The task as its holders know it; nil once nobody holds it.
    var knownTask: SessionTask? { held?.task ?? task }
}
