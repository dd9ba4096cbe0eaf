import BluebonnetTransport

/// Where a task stands, and what follows from each thing that happens to it.
///
/// A value without effects: its methods say what to do, and the caller does it outside the lock.
struct TaskLifecycle {
    enum Phase {
        /// Made, and never resumed.
        case new
        case running
        case suspended
        case canceling
        /// About to complete, and beyond what a cancel could stop.
        case committed
        case completed
    }

    /// What to do about a call.
    enum Action {
        case nothing
        /// Start the first exchange.
        case start
        /// Tell the running exchange, if there is one.
        case pause((any Transfer)?)
        case unpause((any Transfer)?)
        /// Cancel the exchange; its end completes the task.
        case cancel(any Transfer)
        /// Complete the task as cancelled: there is no exchange that would. `isFirst` when it was
        /// never resumed.
        case finish(isFirst: Bool)
    }

    private(set) var phase = Phase.new
    /// The transfer of the exchange under way.
    private(set) var transfer: (any Transfer)?

    /// Counts the exchanges, so that a transfer that is reported late finds its own.
    private var exchangeNumber = 0
    /// Whether an exchange is being started, so that its transfer, or a failure, will follow.
    private var isStarting = false
    /// Whether the exchange that is being started is of no use any more.
    private var isGivenUp = false
    /// Bytes that were consumed before there was a transfer to tell.
    private var untoldCount = 0

    mutating func resume() -> Action {
        switch phase {
        case .new:
            phase = .running
            // A cancel from elsewhere now finds a start under way, which ends the task in its turn;
            // it would otherwise end it before the group is entered and the hook is called.
            isStarting = true
            return .start
        case .suspended:
            phase = .running
            return .unpause(transfer)
        case .running, .canceling, .committed, .completed:
            return .nothing
        }
    }

    mutating func suspend() -> Action {
        guard phase == .running else { return .nothing }
        phase = .suspended
        return .pause(transfer)
    }

    mutating func cancel() -> Action {
        switch phase {
        case .new:
            phase = .canceling
            return .finish(isFirst: true)
        case .running, .suspended:
            phase = .canceling
            if let transfer { return .cancel(transfer) }
            return isStarting ? .nothing : .finish(isFirst: false)
        case .canceling, .committed, .completed:
            return .nothing
        }
    }

    /// Passes the point beyond which the task cannot be cancelled; false if it was before.
    mutating func commit() -> Bool {
        guard phase == .running || phase == .suspended else { return false }
        phase = .committed
        return true
    }

    /// The number of the exchange that may be started now; nil when none may.
    mutating func willStartExchange() -> Int? {
        guard phase == .running || phase == .suspended else { return nil }
        isStarting = true
        isGivenUp = false
        untoldCount = 0
        exchangeNumber += 1
        return exchangeNumber
    }

    /// Takes the transfer of the exchange that was started, and says what it missed meanwhile.
    mutating func didStartExchange(_ number: Int, _ transfer: any Transfer) -> Action {
        // The exchange may already have ended, on the transport's thread.
        guard isStarting, number == exchangeNumber else { return .nothing }
        isStarting = false
        // A task can fail by a head that came before the transfer did.
        guard phase != .completed else { return .cancel(transfer) }
        self.transfer = transfer
        if isGivenUp { return .cancel(transfer) }
        switch phase {
        case .canceling: return .cancel(transfer)
        case .suspended: return .pause(transfer)
        case .new, .running, .committed, .completed: return .nothing
        }
    }

    /// What giving up an exchange amounts to.
    enum GivingUp {
        /// It has ended already.
        case over
        /// Cancel the transfer, where there is one yet; its end follows.
        case cancel((any Transfer)?)
    }

    /// Gives up the exchange under way, but not the task.
    mutating func giveUpExchange() -> GivingUp {
        if let transfer { return .cancel(transfer) }
        isGivenUp = isStarting
        return isStarting ? .cancel(nil) : .over
    }

    /// The transfer to tell of consumed bytes; those of an exchange that is being started are told
    /// later.
    mutating func consumed(_ count: Int) -> (any Transfer)? {
        if transfer == nil, isStarting { untoldCount += count }
        return transfer
    }

    /// The bytes that the transfer of that exchange has not been told of, once.
    mutating func takeUntoldCount(of number: Int) -> Int {
        guard number == exchangeNumber else { return 0 }
        defer { untoldCount = 0 }
        return untoldCount
    }

    mutating func exchangeDidEnd() {
        isStarting = false
        transfer = nil
    }

    /// What the completion of a task amounts to.
    enum Completion {
        case alreadyComplete, cancelled, regular
    }

    mutating func complete() -> Completion {
        defer { phase = .completed }
        transfer = nil
        switch phase {
        case .completed: return .alreadyComplete
        case .canceling: return .cancelled
        case .new, .running, .suspended, .committed: return .regular
        }
    }
}
