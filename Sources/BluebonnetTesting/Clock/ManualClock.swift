public import Bluebonnet
import Dispatch

/// A clock whose time moves only when a test moves it.
///
/// Set it as the `clock` of a session's configuration. Deadlines, other waits of the library and
/// the delays of a ``StubTransport`` then take no real time:
///
/// ```swift
/// let clock = ManualClock()
/// var configuration = SessionConfiguration()
/// configuration.clock = clock
/// configuration.timeouts.whole = 30
/// let stub = StubTransport()
/// stub.on(.get, "/slow", .text("late").after(.seconds(60)))
/// let api = HTTPSessionManager(configuration: configuration, transport: stub)
/// // Throws, because 30 s have passed.
/// try await clock.run { try await api.get("http://example.org/slow") }
/// ```
///
/// Most tests use ``run(_:)``, which moves the time to the next timer whenever neither the library
/// nor the test has anything to do. ``advance(by:)`` moves it by a fixed amount. Exchanges on real
/// sockets count as work, so the time stands still until they end.
///
/// If a timer is pending, and nothing has happened for five real seconds, the clock prints a
/// warning, once.
public final class ManualClock: WorkObservingClock {
    struct State {
        var now = Duration.zero
        var timers = ManualTimers()
        var workCount = 0
        /// The callers that wait for a change before they can move the time.
        var waiting: [CheckedContinuation<Step, Never>] = []
        /// The bodies of ``run(_:)`` that have not returned.
        var bodies: Set<Int> = []
        var lastBody = 0
        var standstill = ClockStallWatch()

        /// Moves the time to the first timer that is due by a given time; its call counts as work.
        mutating func takeTimer(dueAt time: Duration) -> ManualTimers.Action? {
            guard let (deadline, action) = timers.takeFirst(dueAt: time) else { return nil }
            // A second caller of `advance(by:)` might have passed the deadline meanwhile.
            now = max(now, deadline)
            workCount += 1
            standstill.changeCount += 1
            return action
        }

        mutating func takeWaiting() -> [CheckedContinuation<Step, Never>] {
            defer { waiting = [] }
            return waiting
        }
    }

    enum Step {
        case call(ManualTimers.Action)
        /// Nothing can be done until something changes.
        case wait
        case end
    }

    let state = Locked(State())
    private let start: Date
    /// The real time after which a standstill is reported.
    let patience: DispatchTimeInterval
    let report: @Sendable (_ warning: String) -> Void

    /// Creates a clock whose time is zero.
    ///
    /// - Parameter date: The date at zero. The default is the beginning of 2001 in UTC.
    public convenience init(startingAt date: Date = Date(timeIntervalSinceReferenceDate: 0)) {
        self.init(startingAt: date, patience: .seconds(5)) { warning in
            FileHandle.standardError.write(Data("\(warning)\n".utf8))
        }
    }

    /// Creates a clock that reports a standstill after another real time, and to a closure.
    init(
        startingAt date: Date = Date(timeIntervalSinceReferenceDate: 0),
        patience: DispatchTimeInterval, report: @escaping @Sendable (_ warning: String) -> Void
    ) {
        (start, self.patience, self.report) = (date, patience, report)
    }

    /// The time since the clock was created.
    public var now: Duration { state.withLock { $0.now } }
    /// The date at the clock's creation plus the time since then.
    public var date: Date { start.addingTimeInterval(now / .seconds(1)) }

    /// The number of timers that have not fired.
    public var pendingCount: Int { state.withLock { $0.timers.count } }

    /// Calls a closure once the time has moved by a delay; see `SessionClock.schedule(after:_:)`.
    ///
    /// The call counts as work.
    @discardableResult
    public func schedule(
        after delay: Duration, _ action: @escaping @Sendable () -> Void
    ) -> any SessionTimer {
        let timer = change { $0.timers.add(at: $0.now + delay.asDelay, action) }
        watchForStandstill()
        return ScheduledTimer(clock: self, timer: timer)
    }

    /// Waits until the time has moved by a delay.
    ///
    /// - Parameter delay: The time on this clock, not in the real world.
    /// - Throws: `CancellationError` if the Swift task is canceled first.
    public func sleep(for delay: Duration) async throws {
        let wake = Locked<CheckedContinuation<Void, Never>?>(nil)
        let resume: @Sendable () -> Void = { wake.withLock { $0.take() }?.resume() }
        let timer = Locked<(any SessionTimer)?>(nil)
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                wake.withLock { $0 = continuation }
                let scheduled = schedule(after: delay, resume)
                timer.withLock { $0 = scheduled }
                if Task.isCancelled { resume() }
            }
        } onCancel: {
            resume()
        }
        timer.withLock { $0.take() }?.cancel()
        try Task.checkCancellation()
    }

    /// Counts the beginning of work; sessions call it.
    public func workDidBegin() {
        change { $0.workCount += 1 }
    }

    /// Counts the end of work; sessions call it.
    public func workDidEnd() {
        change { $0.workCount -= 1 }
    }

    /// The executor for Swift tasks, which count as work only while they run or are ready to run.
    public var taskExecutor: any TaskExecutor { CountingExecutor(clock: self) }

    private func cancel(_ timer: ManualTimers.Timer) {
        let action = state.withLock { state in
            state.standstill.changeCount += 1
            return state.timers.remove(timer)
        }
        // Released outside the lock, because that can run any code.
        withExtendedLifetime(action) {}
    }

    /// Changes the state, and resumes waiting callers if no work is under way.
    private func change<Result>(_ change: (inout State) -> Result) -> Result {
        let (result, ready) = state.withLock { state in
            state.standstill.changeCount += 1
            return (change(&state), state.workCount == 0 ? state.takeWaiting() : [])
        }
        for continuation in ready { continuation.resume(returning: .wait) }
        return result
    }

    private struct ScheduledTimer: SessionTimer {
        let clock: ManualClock
        let timer: ManualTimers.Timer

        func cancel() { clock.cancel(timer) }
    }
}

extension ManualClock: CustomStringConvertible {
    /// The time, the number of timers, and the amount of work under way.
    public var description: String {
        let (now, timers, work) = state.withLock { ($0.now, $0.timers.count, $0.workCount) }
        return "ManualClock at \(now / .seconds(1)) s, \(timers) timers, \(work) at work"
    }
}

extension Duration {
    /// The duration clamped to 0 to 100 years, so that it can be added to a time.
    var asDelay: Duration { min(max(self, .zero), .seconds(100 * 366 * 86_400)) }
}
