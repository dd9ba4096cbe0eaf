import BluebonnetTransport
import Foundation

/// Runs completion handlers for managers without a completion queue, and batches of queues.
///
/// One worker runs jobs one after the other, because waking a thread for each costs more than most
/// jobs do. If a worker is stuck in a job, a watcher wakes other workers within a few milliseconds.
/// Any thread of the pool can be a worker or the watcher. A thread ends after it has been idle for
/// five seconds, by default.
final class HandlerPool: Sendable {
    static let shared = HandlerPool()
    /// The pool of a forked process, in which the threads of the other pools are missing.
    private static let afterFork = HandlerPool()

    typealias StartThread =
        @Sendable (_ body: @escaping @Sendable () -> Void) throws(ThreadNotStarted) -> Void

    private struct State {
        var schedule: HandlerPoolSchedule
        /// The sleeping threads, of which the last one to fall asleep is woken first.
        ///
        /// Its memory is likely still in the cache.
        var sleepers: [DispatchSemaphore] = []
        var isRetryPending = false
    }

    private let state: Locked<State>
    private let longestSleep: DispatchTimeInterval
    private let startThread: StartThread
    private let isMadeAfterFork = ProcessFork.hasLostThreads
    /// Whether the pool's threads, which can hold its lock, are missing in this process.
    private var isLost: Bool { ProcessFork.hasLostThreads && !isMadeAfterFork }

    /// Creates a pool in which at most `maximumHandlers` handlers run or block at the same time.
    init(
        maximumHandlers: Int = 64,
        coreCount: Int = ProcessInfo.processInfo.activeProcessorCount,
        longestSleep: DispatchTimeInterval = .seconds(5),
        startThread: @escaping StartThread = { body throws(ThreadNotStarted) in
            try NamedThread.startDetached("bluebonnet-work", running: body)
        }
    ) {
        self.longestSleep = longestSleep
        self.startThread = startThread
        let schedule = HandlerPoolSchedule(maximumHandlers: maximumHandlers, coreCount: coreCount)
        state = Locked(State(schedule: schedule))
    }

    // MARK: Jobs
    // Adding a job can start a thread, so do not hold a lock meanwhile.

    /// Runs a handler, which can block.
    func async(_ handler: @escaping @Sendable () -> Void) {
        change { $0.add(.init(kind: .handler, run: handler)) }
    }

    /// Runs a batch of a queue before waiting handlers.
    func run(_ batch: @escaping @Sendable () -> Void) {
        change { $0.add(.init(kind: .batch, run: batch)) }
    }

    /// Runs a batch of a queue when a worker has nothing else to do, or one tick later.
    func runAfterwards(_ batch: @escaping @Sendable () -> Void) {
        change { $0.addAfterwards(.init(kind: .batch, run: batch)) }
    }

    /// Runs a closure that adds several jobs, and wakes a worker at its end.
    ///
    /// A worker that is woken for the first job would often take the processor from the caller.
    func gather(_ add: () -> Void) {
        guard !isLost else { return add() }
        state.withLock { $0.schedule.gatherings += 1 }
        add()
        change { $0.gatherings -= 1 }
    }

    private func change(_ change: (inout HandlerPoolSchedule) -> Void) {
        guard !isLost else { return Self.afterFork.change(change) }
        let count = state.withLock { state in
            change(&state.schedule)
            return state.schedule.threadsToWake()
        }
        wake(count)
    }

    // MARK: Threads

    private func wake(_ count: Int) {
        for _ in 0..<count {
            if let sleeper = state.withLock({ $0.sleepers.popLast() }) {
                sleeper.signal()
            } else {
                start()
            }
        }
    }

    private func start() {
        do throws(ThreadNotStarted) {
            try startThread { self.live() }
        } catch {
            let retries = state.withLock { state in
                if state.schedule.giveUpThread() || state.isRetryPending { return false }
                state.isRetryPending = true
                return true
            }
            guard retries else { return }
            // The pool might have no thread left to notice the waiting jobs.
            DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(Self.tick)) {
                self.state.withLock { $0.isRetryPending = false }
                self.change { _ in }
            }
        }
    }

    private func live() {
        let alarm = DispatchSemaphore(value: 0)
        repeat {
            switch state.withLock({ $0.schedule.takeRole() }) {
            case .worker: work(alarm)
            case .watcher: watch(alarm)
            }
        } while isWoken(alarm)
    }

    private func work(_ alarm: DispatchSemaphore) {
        var worker = HandlerPoolSchedule.Worker()
        while true {
            let (job, count) = state.withLock { state in
                let job = state.schedule.next(for: &worker)
                if job == nil { state.sleepers.append(alarm) }
                return (job, state.schedule.threadsToWake())
            }
            wake(count)
            guard let job else { return }
            job.run()
        }
    }

    private func watch(_ alarm: DispatchSemaphore) {
        while true {
            usleep(useconds_t(Self.tick))
            let count = state.withLock { state in
                let count = state.schedule.look()
                if count == nil { state.sleepers.append(alarm) }
                return count
            }
            guard let count else { return }
            wake(count)
        }
    }

    /// The time between two checks by the watcher, in microseconds.
    private static let tick = 4000

    /// Sleeps until the thread is woken, and returns false if it leaves the pool instead.
    private func isWoken(_ alarm: DispatchSemaphore) -> Bool {
        while alarm.wait(timeout: .now() + longestSleep) == .timedOut {
            let leaves = state.withLock { state in
                guard let place = state.sleepers.firstIndex(where: { $0 === alarm }) else {
                    return false
                }
                state.sleepers.remove(at: place)
                return true
            }
            if leaves { return false }
        }
        return true
    }
}
