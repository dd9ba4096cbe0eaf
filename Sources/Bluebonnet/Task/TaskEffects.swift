import BluebonnetTransport
import Foundation

/// An action that follows from a decision about a task, outside its lock and on any thread.
enum TaskEffect: Sendable {
    case begin(any Transfer)
    case pause(any Transfer)
    case unpause(any Transfer)
    /// Aborts an exchange that was given up, because its response might have broken a rule.
    case abort(any Transfer)
    /// Cancels an exchange whose end is awaited.
    case end(any Transfer)
    /// Begins the time for a body that is not delivered.
    case limitBody(ofExchange: Int)
    /// Reports an event to monitors and observers.
    indirect case tell(PendingEvent)
    /// Tells the interceptors that the attempt has ended.
    indirect case endAttempt(EndedAttempt)
    /// Reports to the clock that the task is no longer working.
    case endWork
    /// Releases the objects that the task kept alive until its outcome was delivered.
    case release
    /// Sends an event to the task on the callback queue, if no exchange brings it there.
    indirect case comeBack(TaskRun.Event)
}

/// An event that monitors and observers have not received yet.
struct PendingEvent: Sendable {
    var kind: TaskEvent.Kind
    var attempt: Int
    var date: Date
    /// The task; nil for the one that the delegate knows when the event is reported.
    var task: SessionTask?
    /// The content of a notification, if there is one.
    var content: (any NotificationContent)?
    /// Whether a validator of the attempt had judged before.
    var isAfterValidation = false
}

/// The actions that were decided for a task and have not been performed, in order.
///
/// One thread at a time performs them, including those of other threads. Otherwise, a delayed
/// thread could pause a transfer that has been resumed since.
struct TaskEffects {
    /// Actions that one thread performs, in order.
    struct Batch {
        /// Separate from the others, because there is usually only one.
        private(set) var first: TaskEffect?
        private(set) var rest: [TaskEffect] = []

        fileprivate var isEmpty: Bool { first == nil }

        fileprivate mutating func append(_ effect: consuming TaskEffect) {
            if first == nil { first = effect } else { rest.append(effect) }
        }
    }

    private var pending = Batch()
    private var isActing = false
    /// The kinds of events that monitors and observers want.
    var interests = TaskEvent.Interests.all
    /// The date of the events, if a monitor or observer wants them.
    var date = Date.distantPast

    mutating func append(_ effect: consuming TaskEffect) {
        pending.append(effect)
    }

    /// Adds an event for monitors and observers, if they want it.
    mutating func tell(_ kind: TaskEvent.Kind, attempt: Int, isAfterValidation: Bool = false) {
        guard interests.contains(kind.interest) else { return }
        append(
            .tell(
                PendingEvent(
                    kind: kind, attempt: attempt, date: date, isAfterValidation: isAfterValidation))
        )
    }

    /// Returns the pending actions if the calling thread has to perform them; nil if there are
    /// none, or if another thread performs them.
    mutating func begin() -> Batch? { isActing ? nil : next() }

    /// Returns the next actions for the acting thread, or nil when its work is done.
    mutating func next() -> Batch? {
        isActing = !pending.isEmpty
        guard isActing else { return nil }
        defer { pending = Batch() }
        return pending
    }

    /// Whether all actions have been performed.
    var isDone: Bool { !isActing && pending.isEmpty }
}
