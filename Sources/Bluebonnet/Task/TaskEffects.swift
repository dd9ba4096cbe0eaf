import BluebonnetTransport

/// What follows from a decision about a task, outside its lock.
enum TaskEffect: Sendable {
    case pause(any Transfer)
    case unpause(any Transfer)
    case cancel(any Transfer)
    case post(PendingNotification)
    /// Complete the task as cancelled.
    case finish
}

/// What was decided about a task and is yet to be done, in order.
///
/// One thread at a time acts, for the others too. If each acted for itself, one that is held up could
/// pause a transfer that was resumed since.
struct TaskEffects {
    private var pending: [TaskEffect] = []
    private var isActing = false

    mutating func append(_ effect: TaskEffect) {
        pending.append(effect)
    }

    /// Whether the calling thread is to act: there is something to do, and no other is at work.
    mutating func begin() -> Bool {
        guard !isActing, !pending.isEmpty else { return false }
        isActing = true
        return true
    }

    /// The next effect for the thread at work; nil ends its work.
    mutating func next() -> TaskEffect? {
        isActing = !pending.isEmpty
        return isActing ? pending.removeFirst() : nil
    }
}
