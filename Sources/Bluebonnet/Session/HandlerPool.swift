import BluebonnetTransport
import Foundation

/// Runs completion handlers for managers without a completion queue, and what makes them.
///
/// Handlers come in bursts and are mostly short, so one worker runs them one after the other
/// instead of each waking a thread. A watch that runs while something waits sends for as many
/// workers again whenever it has waited for a whole tick, so handlers that block, or compute for
/// long, hold nobody up for more. Workers are serial queues, each with a thread at once when it
/// needs one: the threads of concurrent queues are few, grow by one a second, and run all Swift
/// tasks as well.
final class HandlerPool: Sendable {
    static let shared = HandlerPool()

    private static let tick = DispatchTimeInterval.milliseconds(4)

    /// A closure as it is: as an element of a generic type it would be wrapped in another.
    private struct Handler {
        let run: @Sendable () -> Void
    }

    /// What may add handlers, and says whether it is to run again.
    private struct Errand {
        let run: @Sendable () -> Bool
        /// How many handlers had come before it.
        let place: Int
    }

    private enum Job {
        case handler(Handler)
        case errand(Errand)
    }

    private struct State {
        let maximumWorkers: Int
        var handlers = FIFO<Handler>()
        var errands = FIFO<Errand>()
        var idleWorkers: [DispatchQueue] = []
        var workerCount = 0
        var activeErrandCount = 0
        /// Handlers and errands that came, and that were begun, so far.
        var appended = (handlers: 0, errands: 0)
        var begun = (handlers: 0, errands: 0)
        /// How many of both had come at the last tick; nil while nobody watches.
        var appendedAtLastTick: Int?

        var isEmpty: Bool { handlers.isEmpty && errands.isEmpty }
        var appendedCount: Int { appended.handlers + appended.errands }
        var begunCount: Int { begun.handlers + begun.errands }
        var activeWorkerCount: Int { workerCount - idleWorkers.count }
        /// Errands do not count: they may wait for somebody's queue, however long.
        var handlingWorkerCount: Int { activeWorkerCount - activeErrandCount }
        /// Whether a worker that is sent for finds something that it may do.
        var hasUseForMoreWorkers: Bool {
            handlingWorkerCount < maximumWorkers ? !isEmpty : !errands.isEmpty
        }

        mutating func takeWorker() -> DispatchQueue? {
            guard hasUseForMoreWorkers else { return nil }
            if let worker = idleWorkers.popLast() { return worker }
            workerCount += 1
            return DispatchQueue(label: "bluebonnet.completion.\(workerCount)")
        }

        /// Whether somebody has to watch from now on.
        mutating func beginWatch() -> Bool {
            guard appendedAtLastTick == nil, hasUseForMoreWorkers else { return false }
            appendedAtLastTick = appendedCount
            return true
        }

        /// As many workers again, when something has waited for a whole tick.
        mutating func workersForWaiting() -> [DispatchQueue] {
            guard let appendedAtLastTick, begunCount < appendedAtLastTick else { return [] }
            guard handlingWorkerCount < maximumWorkers else {
                return takeWorker().map { [$0] } ?? []
            }
            let wanted = min(appendedCount - begunCount, max(1, activeWorkerCount))
            return (0..<wanted).compactMap { _ in takeWorker() }
        }

        mutating func append(_ errand: @escaping @Sendable () -> Bool) {
            errands.append(Errand(run: errand, place: appended.handlers))
            appended.errands += 1
        }

        /// What came first, or an errand, if there is one, for who came because something waits.
        mutating func pop(prefersErrands: Bool) -> Job? {
            if let errand = errands.first, prefersErrands || errand.place <= begun.handlers {
                begun.errands += 1
                activeErrandCount += 1
                return errands.pop().map(Job.errand)
            }
            guard handlingWorkerCount <= maximumWorkers, let handler = handlers.pop() else {
                return nil
            }
            begun.handlers += 1
            return .handler(handler)
        }
    }

    private let state: Locked<State>
    private let watch = DispatchQueue(label: "bluebonnet.completion.watch")

    /// Makes a pool in which so many handlers may block before others wait.
    init(maximumWorkers: Int = 64) {
        state = Locked(State(maximumWorkers: maximumWorkers))
    }

    func async(_ handler: @escaping @Sendable () -> Void) {
        append(handler)
        wake()
    }

    /// Adds a handler, from an errand, or for which ``wake()`` will be called soon.
    func append(_ handler: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.handlers.append(Handler(run: handler))
            state.appended.handlers += 1
        }
    }

    /// Runs what may add handlers, in its turn among them, and again when it says that there is
    /// more: on the thread that runs them, so that no other has to be woken.
    ///
    /// It may wait for others: a handler, or errand, that waits has another thread after a tick.
    func run(_ errand: @escaping @Sendable () -> Bool) {
        state.withLock { $0.append(errand) }
        wake()
    }

    /// Sees to it that what was added runs.
    func wake() {
        let (worker, beginsWatch) = state.withLock { state -> (DispatchQueue?, Bool) in
            guard !state.isEmpty else { return (nil, false) }
            if state.activeWorkerCount == 0 { return (state.takeWorker(), false) }
            return (nil, state.beginWatch())
        }
        if let worker { send(worker) }
        if beginsWatch { scheduleTick() }
    }

    private func send(_ worker: DispatchQueue, prefersErrands: Bool = false) {
        worker.async { [self] in work(as: worker, prefersErrands: prefersErrands) }
    }

    private func work(as worker: DispatchQueue, prefersErrands: Bool) {
        while let job = nextJob(for: worker, prefersErrands) {
            switch job {
            case .handler(let handler): handler.run()
            case .errand(let errand):
                let isRepeated = errand.run()
                state.withLock { state in
                    state.activeErrandCount -= 1
                    if isRepeated { state.append(errand.run) }
                }
            }
        }
    }

    private func nextJob(for worker: DispatchQueue, _ prefersErrands: Bool) -> Job? {
        let (job, beginsWatch) = state.withLock { state -> (Job?, Bool) in
            guard let job = state.pop(prefersErrands: prefersErrands) else {
                state.idleWorkers.append(worker)
                return (nil, false)
            }
            // This one may take its time.
            return (job, state.beginWatch())
        }
        if beginsWatch { scheduleTick() }
        return job
    }

    // MARK: The watch

    private func scheduleTick() {
        watch.asyncAfter(deadline: .now() + Self.tick) { [self] in lookAfterWaiting() }
    }

    private func lookAfterWaiting() {
        let (workers, goesOn) = state.withLock { state in
            let workers = state.workersForWaiting()
            let goesOn = state.hasUseForMoreWorkers
            state.appendedAtLastTick = goesOn ? state.appendedCount : nil
            return (workers, goesOn)
        }
        for worker in workers { send(worker, prefersErrands: true) }
        if goesOn { scheduleTick() }
    }
}
