import BluebonnetTransport
import Foundation

/// Runs completion handlers for managers without a completion queue, and lends threads to what brings
/// them.
///
/// Handlers come in bursts and are mostly short, so one worker runs them one after the other
/// instead of each waking a thread. A watch that runs while handlers wait sends for as many workers
/// again whenever one has waited for a whole tick, so handlers that block, or compute for long,
/// hold nobody up for more. Workers are serial queues, each with a thread at once when it needs
/// one: the threads of concurrent queues are few, grow by one a second, and run all Swift tasks as
/// well.
final class HandlerPool: Sendable {
    static let shared = HandlerPool()

    private static let tick = DispatchTimeInterval.milliseconds(4)

    /// A closure as it is: as an element of a generic type it would be wrapped in another.
    private struct Handler {
        let run: @Sendable () -> Void
    }

    private struct State {
        let maximumWorkers: Int
        var handlers = FIFO<Handler>()
        var idleWorkers: [DispatchQueue] = []
        var workerCount = 0
        /// Workers that are on an errand and run no handlers yet.
        var errandCount = 0
        /// Handlers that came, and that were begun, so far.
        var appended = 0
        var begun = 0
        /// How many had come at the last tick; nil while nobody watches.
        var appendedAtLastTick: Int?

        var activeWorkerCount: Int { workerCount - idleWorkers.count - errandCount }
        var canHaveMoreWorkers: Bool { activeWorkerCount < maximumWorkers }

        mutating func takeWorker() -> DispatchQueue? {
            canHaveMoreWorkers ? takeAnyWorker() : nil
        }

        private mutating func takeAnyWorker() -> DispatchQueue {
            if let worker = idleWorkers.popLast() { return worker }
            workerCount += 1
            return DispatchQueue(label: "bluebonnet.completion.\(workerCount)")
        }

        mutating func beginErrand() -> DispatchQueue {
            errandCount += 1
            return takeAnyWorker()
        }

        /// Whether the worker goes on with handlers: those that wait, and no other is there for.
        mutating func endErrand(of worker: DispatchQueue) -> Bool {
            let isNeeded = activeWorkerCount == 0 && !handlers.isEmpty
            errandCount -= 1
            if !isNeeded { idleWorkers.append(worker) }
            return isNeeded
        }

        /// Whether somebody has to watch from now on.
        mutating func beginWatch() -> Bool {
            guard appendedAtLastTick == nil, canHaveMoreWorkers else { return false }
            appendedAtLastTick = appended
            return true
        }

        /// As many workers again, when a handler has waited for a whole tick.
        mutating func workersForWaiting() -> [DispatchQueue] {
            guard let appendedAtLastTick, begun < appendedAtLastTick else { return [] }
            let wanted = min(appended - begun, max(1, activeWorkerCount))
            return (0..<wanted).compactMap { _ in takeWorker() }
        }

        mutating func pop() -> Handler? {
            guard let handler = handlers.pop() else { return nil }
            begun += 1
            return handler
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

    /// Adds a handler for which ``wake()`` will be called soon.
    func append(_ handler: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.handlers.append(Handler(run: handler))
            state.appended += 1
        }
    }

    /// Sees to it that what was added runs.
    func wake() {
        let (worker, beginsWatch) = state.withLock { state -> (DispatchQueue?, Bool) in
            guard !state.handlers.isEmpty else { return (nil, false) }
            if state.activeWorkerCount == 0 { return (state.takeWorker(), false) }
            return (nil, state.beginWatch())
        }
        if let worker { send(worker) }
        if beginsWatch { scheduleTick() }
    }

    /// Runs what may add handlers, again as long as it says that there is more, and then those
    /// handlers, on one thread.
    ///
    /// It may wait for others: nobody waits for its thread.
    func run(_ errand: @escaping @Sendable () -> Bool) {
        let worker = state.withLock { $0.beginErrand() }
        worker.async { [self] in
            while errand() { wake() }
            let (isNeeded, beginsWatch) = state.withLock { state in
                let isNeeded = state.endErrand(of: worker)
                // Over what waits behind the first handler, which may take its time.
                let leavesSome = state.appended - state.begun > (isNeeded ? 1 : 0)
                return (isNeeded, leavesSome && state.beginWatch())
            }
            if beginsWatch { scheduleTick() }
            if isNeeded { work(as: worker) }
        }
    }

    private func send(_ worker: DispatchQueue) {
        worker.async { [self] in work(as: worker) }
    }

    private func work(as worker: DispatchQueue) {
        while true {
            let handler = state.withLock { state in
                let handler = state.pop()
                if handler == nil { state.idleWorkers.append(worker) }
                return handler
            }
            guard let handler else { return }
            handler.run()
        }
    }

    // MARK: The watch

    private func scheduleTick() {
        watch.asyncAfter(deadline: .now() + Self.tick) { [self] in lookAfterWaiting() }
    }

    private func lookAfterWaiting() {
        let (workers, goesOn) = state.withLock { state in
            let workers = state.workersForWaiting()
            let goesOn = !state.handlers.isEmpty && state.canHaveMoreWorkers
            state.appendedAtLastTick = goesOn ? state.appended : nil
            return (workers, goesOn)
        }
        workers.forEach(send)
        if goesOn { scheduleTick() }
    }
}
