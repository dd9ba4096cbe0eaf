import BluebonnetTransport

/// What follows from a decision about a task, outside its lock.
enum TaskEffect: Sendable {
    case post(PendingNotification)
    case pause(any Transfer)
    case unpause(any Transfer)
    case cancel(any Transfer)
    /// Complete the task as cancelled.
    case finish
}

/// What was decided about a task and is yet to be done, in order.
///
/// One thread at a time acts, for the others too: were each to act for itself, one that is held up
/// could pause a transfer that was resumed since, or post what others have overtaken.
struct TaskEffects {
    /// Mostly there is one effect, or none, so the first has a place that is not allocated.
    private var first: TaskEffect?
    private var others: [TaskEffect] = []
    private var isActing = false

    mutating func append(_ effect: consuming TaskEffect) {
        if case .none = first { first = consume effect } else { others.append(effect) }
    }

    /// The next effect for a thread that is not at work yet; nil when there is none, or another is.
    mutating func begin() -> TaskEffect? {
        isActing ? nil : next()
    }

    /// The next effect for the thread at work; nil ends its work.
    mutating func next() -> TaskEffect? {
        let effect = first.take()
        if !others.isEmpty { first = others.removeFirst() }
        isActing = effect != nil
        return effect
    }
}
