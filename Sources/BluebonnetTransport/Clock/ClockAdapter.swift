public import Foundation

/// A session clock that is based on a Swift `Clock`.
///
/// Each timer is a Swift task that sleeps on the clock, which is slower than ``SystemClock`` and
/// takes more memory. Use it for clocks that tests and simulations already have, not for real time.
///
/// Timers are called on Swift's global executor. If the deadlines of timers are close together, the
/// calls can overlap or change order.
public struct ClockAdapter<Base: Clock>: SessionClock where Base.Duration == Duration {
    private let base: Base
    private let start: Base.Instant
    private let startDate: Date

    /// Creates a session clock whose time and date move with a Swift clock.
    ///
    /// - Parameters:
    ///   - base: The clock to adapt.
    ///   - date: The date at the time of this call. The default is the system's.
    public init(_ base: Base, startingAt date: Date = Date()) {
        self.base = base
        start = base.now
        startDate = date
    }

    /// The time that has passed on the adapted clock since this adapter was created.
    public var now: Duration { start.duration(to: base.now) }

    /// The starting date plus the time that has passed on the adapted clock.
    public var date: Date { startDate.addingTimeInterval(now / .seconds(1)) }

    /// Calls a closure once, after a delay on the adapted clock, unless the timer is canceled.
    ///
    /// - Parameters:
    ///   - delay: The time from now to the call, at most 100 years. Longer delays are shortened.
    ///   - action: The closure to call. It must not block.
    /// - Returns: The timer. Discarding it does not cancel it.
    @discardableResult
    public func schedule(
        after delay: Duration, _ action: @escaping @Sendable () -> Void
    ) -> any SessionTimer {
        let deadline = base.now.advanced(by: delay.clampedToDelay)
        let timer = SleepingTimer(action)
        timer.start(sleepingBy: base, until: deadline)
        return timer
    }
}

private final class SleepingTimer: SessionTimer {
    private struct State {
        var action: (@Sendable () -> Void)?
        var task: Task<Void, Never>?
    }

    private let state: Locked<State>

    init(_ action: @escaping @Sendable () -> Void) {
        state = Locked(State(action: action))
    }

    func start<Base: Clock>(sleepingBy clock: Base, until deadline: Base.Instant) {
        let task = Task.detached { [self] in
            // The clock throws when the timer is canceled, which leaves no action to call.
            try? await clock.sleep(until: deadline, tolerance: nil)
            take().action?()
        }
        state.withLock { if $0.action != nil { $0.task = task } }
    }

    func cancel() {
        take().task?.cancel()
    }

    private func take() -> State {
        state.withLock { state in
            defer { state = State() }
            return state
        }
    }
}
