public import Foundation

/// The clock of the machine, and the default of every session: write `.system`.
///
/// ``now`` is `CLOCK_MONOTONIC`, which stands still while the machine sleeps. All timers of the
/// process share one thread. Scheduling or canceling a timer takes logarithmic time.
///
/// Timers are called on that thread, one at a time. A closure that blocks delays all other timers
/// of the process, so start long work elsewhere and return.
public final class SystemClock: SessionClock {
    /// The shared clock of the process.
    static let shared = SystemClock()

    typealias StartThread =
        @Sendable (_ body: @escaping @Sendable () -> Void) throws(ThreadNotStarted) -> Void

    private struct State {
        var timers = TimerQueue()
        var hasThread = false
        /// The time at which the thread wakes up, or zero while it is awake.
        var wakeTime = Duration.zero
    }

    private let state = Locked(State())
    private let alarm = Alarm()
    private let startThread: StartThread

    // A thread rather than a Dispatch timer: bodies that block their queues can use up all of
    // Dispatch's threads, and only a deadline ends such bodies.
    init(
        startThread: @escaping StartThread = { body throws(ThreadNotStarted) in
            try NamedThread.startDetached("bluebonnet-time", running: body)
        }
    ) {
        self.startThread = startThread
    }

    /// The time since the machine started, excluding the time for which it was suspended.
    public var now: Duration {
        .nanoseconds(Int64(clamping: MonotonicInstant.now.nanoseconds))
    }

    /// The system's date.
    public var date: Date { Date() }

    /// Calls a closure once on the clock's thread, after a delay, unless the timer is canceled.
    ///
    /// - Parameters:
    ///   - delay: The time from now to the call, at most 100 years. Longer delays are shortened.
    ///   - action: The closure to call. It must not block.
    /// - Returns: The timer. Discarding it does not cancel it.
    @discardableResult
    public func schedule(
        after delay: Duration, _ action: @escaping @Sendable () -> Void
    ) -> any SessionTimer {
        let deadline = now + delay.clampedToDelay
        let (timer, isEarlier, needsThread) = state.withLock { state in
            let timer = state.timers.add(at: deadline, action)
            let needsThread = !state.hasThread
            state.hasThread = true
            // Most deadlines come after those of existing timers, so the thread can stay asleep.
            let isEarlier = deadline < state.wakeTime
            if isEarlier { state.wakeTime = deadline }
            return (timer, isEarlier, needsThread)
        }
        if isEarlier { alarm.ring() }
        if needsThread { start() }
        return SystemTimer(clock: self, timer: timer)
    }

    /// The number of timers that have not been called or canceled.
    var pendingCount: Int { state.withLock { $0.timers.count } }

    fileprivate func cancel(_ timer: QueuedTimer) {
        let action = state.withLock { $0.timers.remove(timer) }
        // Released outside the lock, because the release can run any code.
        withExtendedLifetime(action) {}
    }

    // MARK: The thread

    private func start() {
        do throws(ThreadNotStarted) {
            try startThread { self.serve() }
        } catch {
            // Try again, because pending timers must not depend on another one being scheduled.
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(10)) { self.start() }
        }
    }

    private func serve() -> Never {
        while true {
            let time = now
            let (action, wakeTime) = state.withLock { state in
                let due = state.timers.takeFirst(dueAt: time)
                let next = state.timers.firstDeadline ?? time + .longestDelay
                state.wakeTime = due == nil ? next : .zero
                return (due?.action, state.wakeTime)
            }
            if let action { action() } else { alarm.sleep(until: wakeTime) }
        }
    }
}

private struct SystemTimer: SessionTimer {
    let clock: SystemClock
    let timer: QueuedTimer

    func cancel() { clock.cancel(timer) }
}

extension SessionClock where Self == SystemClock {
    /// The clock of the machine.
    public static var system: SystemClock { .shared }
}
