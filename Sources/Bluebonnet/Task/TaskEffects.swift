import BluebonnetTransport

/// What follows from a decision about a task, outside its lock and on any thread.
enum TaskEffect: Sendable {
    case begin(any Transfer)
    case pause(any Transfer)
    case unpause(any Transfer)
    case cancel(any Transfer)
    /// Cancel an exchange whose end is waited for.
    case end(any Transfer)
    /// Tell monitors and observers of what has happened.
    case tell(
        TaskEvent.Kind, attempt: Int, SessionTask? = nil, (any NotificationContent)? = nil)
    /// Let the callback queue end a cancelled task that has no exchange which would.
    case comeBack
}

/// What was decided about a task and has yet to be done, in order.
///
/// One thread at a time acts, for the others too. If each acted for itself, one that is held up could
/// pause a transfer that was resumed since.
struct TaskEffects {
    /// Apart from the others, since mostly there is but one.
    private var first: TaskEffect?
    private var rest: [TaskEffect] = []
    private var isActing = false
    /// What monitors and observers want to be told.
    var interests = TaskEvent.Interests.all

    mutating func append(_ effect: TaskEffect) {
        if first == nil, rest.isEmpty { first = effect } else { rest.append(effect) }
    }

    /// Tells monitors and observers, if they want to be told.
    mutating func tell(_ kind: TaskEvent.Kind, attempt: Int) {
        if interests.contains(kind.interest) { append(.tell(kind, attempt: attempt)) }
    }

    /// Whether the calling thread is to act: there is something to do, and no other is at work.
    mutating func begin() -> Bool {
        guard !isActing, first != nil || !rest.isEmpty else { return false }
        isActing = true
        return true
    }

    /// The next effect for the thread at work; nil ends its work.
    mutating func next() -> TaskEffect? {
        if let effect = first.take() { return effect }
        isActing = !rest.isEmpty
        return isActing ? rest.removeFirst() : nil
    }
}
