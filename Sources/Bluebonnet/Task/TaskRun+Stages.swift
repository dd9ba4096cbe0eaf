import BluebonnetTransport

extension TaskRun {
    /// How a task ends.
    enum Outcome {
        case success
        case failure(BluebonnetError)
        case cancelled
    }

    /// The stage of a task, which says what it waits for.
    enum Stage {
        /// Created, and never resumed.
        case new
        /// The request of the attempt is being prepared.
        ///
        /// On the thread that resumed the task, a cancel or the deadline takes effect afterward.
        case preparing(byResumer: Bool)
        /// The transfer of a request is being made.
        case sending(byResumer: Bool)
        case exchanging(any Transfer)
        /// An answer is awaited, while the exchange is paused or has ended.
        case asking((any Transfer)?)
        /// The whole response is being judged, after its file, if it has one, is complete.
        case judging
        /// Retriers decide whether another attempt follows.
        case retrying(Doubted, (any Transfer)?)
        case waiting(Wait)
        /// The file of a download is being moved, kept or removed.
        case settling(Outcome)
        /// The file is being moved, so the task can no longer be canceled.
        case committed
        case finished
    }

    /// What retriers are asked about.
    enum Doubted {
        /// A failure, with which the task ends without a retry.
        case failure(BluebonnetError)
        /// A whole response, which the task accepts without a retry.
        case response(BluebonnetError)
        /// A head, whose response goes on without a retry.
        case head(BluebonnetError)

        var error: BluebonnetError {
            switch self {
            case .failure(let error), .response(let error), .head(let error): error
            }
        }
    }

    /// What the next attempt waits for.
    enum Wait {
        /// The partial file of the last attempt is being kept or removed.
        case file(then: Duration)
        case delay
        /// The attempt is due, but the task is suspended.
        case resume
    }
}

extension TaskRun.Stage {
    var isNew: Bool { if case .new = self { true } else { false } }
    var isFinished: Bool { if case .finished = self { true } else { false } }

    /// Whether the task was resumed and its outcome is still undecided.
    var isUnderWay: Bool {
        switch self {
        case .new, .settling, .committed, .finished: false
        default: true
        }
    }

    /// Whether an attempt is under way and retriers are not asked about it yet.
    var isInAttempt: Bool {
        switch self {
        case .preparing, .sending, .exchanging, .asking, .judging: true
        default: false
        }
    }

    var canBeCancelled: Bool {
        switch self {
        case .committed, .finished: false
        default: true
        }
    }

    var isOnResumingThread: Bool {
        switch self {
        case .preparing(let byResumer), .sending(let byResumer): byResumer
        default: false
        }
    }

    var transfer: (any Transfer)? {
        switch self {
        case .exchanging(let transfer): transfer
        case .asking(let transfer), .retrying(_, let transfer): transfer
        default: nil
        }
    }
}
