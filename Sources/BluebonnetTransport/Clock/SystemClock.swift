public import Foundation

/// The clock of the machine, and the default of every session.
///
/// ``now`` is `CLOCK_MONOTONIC`, which stands still while the machine sleeps. All timers of the
/// process share one thread, and scheduling and canceling one take logarithmic time.
///
/// Timers are called on that thread, one at a time. A closure that blocks delays all other timers
/// of the process: have it start the work elsewhere and return.
public final class SystemClock: SessionClock {
    /// The one clock of the process.
    static let shared = SystemClock()

    typealias StartThread =
        @Sendable (_ body: @escaping @Sendable () -> Void) throws(ThreadNotStarted) -> Void

    private struct State {
        var timers = TimerQueue()
        var hasThread = false
        /// When the thread looks at the timers again; zero while it is awake.
        var wakeTime = Duration.zero
    }

    private let state = Locked(State())
    private let alarm = Alarm()
    private let startThread: StartThread

    // A thread rather than a Dispatch timer: bodies that block their queues can use up all threads
    // of Dispatch, and deadlines are what ends such bodies.
    init(
        startThread: @escaping StartThread = { body throws(ThreadNotStarted) in
            try NamedThread.startDetached("bluebonnet-time", running: body)
        }
    ) {
        self.startThread = startThread
    }

    /// The time since the machine started, without the time for which it was suspended.
    public var now: Duration {
        .nanoseconds(Int64(clamping: MonotonicInstant.now.nanoseconds))
    }

    /// The system's date.
    public var date: Date { Date() }

    /// Calls a closure once on the clock's thread, after a delay, unless the timer is canceled.
    ///
    /// - Parameters:
    ///   - delay: The time from now to the call. It is at most a hundred years; longer delays are
    ///     shortened to that.
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
            // Most deadlines come after those of earlier timers and leave the thread asleep.
            let isEarlier = deadline < state.wakeTime
            if isEarlier { state.wakeTime = deadline }
            return (timer, isEarlier, needsThread)
        }
        if isEarlier { alarm.ring() }
        if needsThread { start() }
        return SystemTimer(clock: self, timer: timer)
    }

    /// How many timers wait for their time.
    var pendingCount: Int { state.withLock { $0.timers.count } }

    fileprivate func cancel(_ timer: QueuedTimer) {
        let action = state.withLock { $0.timers.remove(timer) }
        // Released outside of the lock, since that can run anything.
        withExtendedLifetime(action) {}
    }

    // MARK: The thread

    private func start() {
        do throws(ThreadNotStarted) {
            try startThread { self.serve() }
        } catch {
            // The timers that wait cannot depend on another one being scheduled.
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
