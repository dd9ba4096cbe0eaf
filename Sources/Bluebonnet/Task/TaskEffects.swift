import BluebonnetTransport
import Foundation

/// What follows from a decision about a task, outside its lock and on any thread.
enum TaskEffect: Sendable {
    case begin(any Transfer)
    case pause(any Transfer)
    case unpause(any Transfer)
    /// Abort an exchange that is given up, whose response may have broken a rule.
    case cancel(any Transfer)
    /// Cancel an exchange whose end is waited for.
    case end(any Transfer)
    /// Tell monitors and observers of what has happened.
    indirect case tell(PendingEvent)
    /// Tell the clock that the task works no more.
    case endWork
    /// Let go of what the task holds, now that everybody has been told.
    case letGo
    /// Let something happen to the task on the callback queue, where no exchange brings it there.
    indirect case comeBack(TaskRun.Event)
}

/// An event that monitors and observers are yet to be told of.
struct PendingEvent: Sendable {
    var kind: TaskEvent.Kind
    var attempt: Int
    var date: Date
    /// Nil for the one that the task's delegate knows when they are told.
    var task: SessionTask?
    /// What a notification carries, if there is one.
    var content: (any NotificationContent)?
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
    /// The date of what is decided, where anybody wants to be told.
    var date = Date.distantPast

    mutating func append(_ effect: consuming TaskEffect) {
        if first == nil, rest.isEmpty { first = effect } else { rest.append(effect) }
    }

    /// Tells monitors and observers, if they want to be told.
    mutating func tell(_ kind: TaskEvent.Kind, attempt: Int) {
        guard interests.contains(kind.interest) else { return }
        append(.tell(PendingEvent(kind: kind, attempt: attempt, date: date)))
    }

    /// Whether the calling thread is to act: there is something to do, and no other is at work.
    mutating func begin() -> Bool {
        guard !isActing, first != nil || !rest.isEmpty else { return false }
        isActing = true
        return true
    }

    /// Whether everything that was decided is done.
    var isDone: Bool { !isActing && first == nil && rest.isEmpty }

    /// The next effect for the thread at work; nil ends its work.
    mutating func next() -> TaskEffect? {
        if let effect = first.take() { return effect }
        isActing = !rest.isEmpty
        return isActing ? rest.removeFirst() : nil
    }
}
