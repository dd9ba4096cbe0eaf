package import BluebonnetTransport
package import Foundation

/// A clock whose time moves only when a test moves it.
///
/// ``run(_:)`` is the usual way: it moves the time to the next timer whenever neither the library nor
/// the test has anything to do. ``advance(by:)`` moves it by a known amount.
package final class ManualClock: SessionClock {
    private struct State {
        var now = Duration.zero
        var timers = TimerQueue()
        var workCount = 0
        /// Those who move the time and wait for a change; resumed to look again.
        var waiting: [CheckedContinuation<Step, Never>] = []
        /// The bodies of ``run(_:)`` that have not returned.
        var bodies: Set<Int> = []
        var lastBody = 0

        /// Moves the time to the first timer due by then, whose call counts as work.
        mutating func takeTimer(dueAt time: Duration) -> TimerQueue.Action? {
            guard let (deadline, action) = timers.takeFirst(dueAt: time) else { return nil }
            // A second caller of `advance(by:)` may have passed the deadline meanwhile.
            now = max(now, deadline)
            workCount += 1
            return action
        }

        mutating func takeWaiting() -> [CheckedContinuation<Step, Never>] {
            defer { waiting = [] }
            return waiting
        }
    }

    private enum Step {
        case call(TimerQueue.Action)
        /// Nothing can be done until something changes.
        case wait
        case end
    }

    private let state = Locked(State())
    private let start: Date

    /// Creates a clock that stands at zero.
    package init(startingAt date: Date = Date(timeIntervalSinceReferenceDate: 0)) {
        start = date
    }

    package var now: Duration { state.withLock { $0.now } }
    package var date: Date { start.addingTimeInterval(now / .seconds(1)) }

    /// How many timers wait for their time.
    package var pendingCount: Int { state.withLock { $0.timers.count } }

    @discardableResult
    package func schedule(
        after delay: Duration, _ action: @escaping @Sendable () -> Void
    ) -> any SessionTimer {
        let timer = change { $0.timers.add(at: $0.now + delay.clampedToDelay, action) }
        return ManualTimer(clock: self, timer: timer)
    }

    package func workDidBegin() {
        state.withLock { $0.workCount += 1 }
    }

    package func workDidEnd() {
        change { state in
            precondition(state.workCount > 0, "more work has ended than has begun")
            state.workCount -= 1
        }
    }

    fileprivate func cancel(_ timer: QueuedTimer) {
        let action = state.withLock { $0.timers.remove(timer) }
        // Released outside of the lock, since that can run anything.
        withExtendedLifetime(action) {}
    }

    /// Changes something that those who wait may be waiting for.
    private func change<Result>(_ change: (inout State) -> Result) -> Result {
        let (result, ready) = state.withLock { state in
            (change(&state), state.workCount == 0 ? state.takeWaiting() : [])
        }
        for continuation in ready { continuation.resume(returning: .wait) }
        return result
    }

    // MARK: Moving the time

    /// Moves the time forward and calls the timers that become due, each at its own time.
    ///
    /// Waits until the library is idle before and after each timer, so what a timer starts is done
    /// when this returns. It cannot wait for a test's own Swift tasks: one that awaits a response may
    /// not have been resumed yet. Use ``run(_:)`` for those.
    package func advance(by duration: Duration) async {
        var end: Duration?
        await move { state in
            guard state.workCount == 0 else { return .wait }
            let time = end ?? state.now + duration.clampedToDelay
            end = time
            if let action = state.takeTimer(dueAt: time) { return .call(action) }
            state.now = max(state.now, time)
            return .end
        }
    }

    /// Waits until the library has nothing to do, without moving the time.
    package func idle() async {
        await move { $0.workCount == 0 ? .end : .wait }
    }

    /// Runs a body, and moves the time to the next timer whenever there is nothing else to do.
    ///
    /// The body and its child tasks count as work while they run, so the time does not move before
    /// they wait for something. Tasks made with `Task { }` and code on the main actor do not count.
    package func run<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let number = state.withLock { state in
            // The time must not move before the body has begun.
            state.workCount += 1
            state.lastBody += 1
            state.bodies.insert(state.lastBody)
            return state.lastBody
        }
        async let result = perform(body, number: number)
        await move { state in
            guard state.bodies.contains(number) else { return .end }
            guard state.workCount == 0, let action = state.takeTimer(dueAt: .seconds(Int64.max))
            else { return .wait }
            return .call(action)
        }
        return try await result.get()
    }

    private func perform<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () async throws(Failure) -> Value, number: Int
    ) async -> Result<Value, Failure> {
        await withTaskExecutorPreference(CountingExecutor(clock: self)) {
            // From here on the executor counts.
            workDidEnd()
            let result: Result<Value, Failure>
            do throws(Failure) {
                result = .success(try await body())
            } catch {
                result = .failure(error)
            }
            let ready = state.withLock { state in
                state.bodies.remove(number)
                return state.takeWaiting()
            }
            for continuation in ready { continuation.resume(returning: .wait) }
            return result
        }
    }

    /// Does what `decide` says, under the lock, until that is to end.
    private func move(_ decide: (inout State) -> Step) async {
        // Within a body of `run(_:)`, this would count as work and wait for itself.
        await withTaskExecutorPreference(globalConcurrentExecutor) {
            while true {
                switch await next(decide) {
                case .call(let action):
                    action()
                    workDidEnd()
                case .wait: continue
                case .end: return
                }
            }
        }
    }

    /// The next step; waits for a change if there is none.
    private func next(_ decide: (inout State) -> Step) async -> Step {
        await withCheckedContinuation { continuation in
            let step = state.withLock { state in
                let step = decide(&state)
                if case .wait = step { state.waiting.append(continuation) }
                return step
            }
            if case .wait = step { return }
            continuation.resume(returning: step)
        }
    }
}

private struct ManualTimer: SessionTimer {
    let clock: ManualClock
    let timer: QueuedTimer

    func cancel() { clock.cancel(timer) }
}

/// Runs Swift tasks and reports them to a clock as work while they run or are ready to.
private final class CountingExecutor: TaskExecutor {
    private let clock: ManualClock
    private let queue = DispatchQueue(label: "bluebonnet.manual-clock", attributes: .concurrent)

    init(clock: ManualClock) {
        self.clock = clock
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        clock.workDidBegin()
        queue.async { [self] in
            job.runSynchronously(on: asUnownedTaskExecutor())
            clock.workDidEnd()
        }
    }
}
