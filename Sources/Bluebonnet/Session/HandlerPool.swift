import BluebonnetTransport
import Foundation

/// Runs completion handlers for managers without a completion queue.
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

    private struct State {
        let maximumWorkers: Int
        var handlers = FIFO<@Sendable () -> Void>()
        var idleWorkers: [DispatchQueue] = []
        var workerCount = 0
        /// Handlers that came, and that were begun, so far.
        var appended = 0
        var begun = 0
        /// How many had come at the last tick; nil while nobody watches.
        var appendedAtLastTick: Int?

        var activeWorkerCount: Int { workerCount - idleWorkers.count }
        var canHaveMoreWorkers: Bool { activeWorkerCount < maximumWorkers }

        mutating func takeWorker() -> DispatchQueue? {
            if let worker = idleWorkers.popLast() { return worker }
            guard workerCount < maximumWorkers else { return nil }
            workerCount += 1
            return DispatchQueue(label: "bluebonnet.completion.\(workerCount)")
        }

        /// As many workers again, when a handler has waited for a whole tick.
        mutating func workersForWaiting() -> [DispatchQueue] {
            guard let appendedAtLastTick, begun < appendedAtLastTick else { return [] }
            let wanted = min(appended - begun, max(1, activeWorkerCount))
            return (0..<wanted).compactMap { _ in takeWorker() }
        }

        mutating func pop() -> (@Sendable () -> Void)? {
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
            state.handlers.append(handler)
            state.appended += 1
        }
    }

    /// Sees to it that what was added runs.
    func wake() {
        let (worker, beginsWatch) = state.withLock { state -> (DispatchQueue?, Bool) in
            guard !state.handlers.isEmpty else { return (nil, false) }
            if state.activeWorkerCount == 0 { return (state.takeWorker(), false) }
            guard state.appendedAtLastTick == nil, state.canHaveMoreWorkers else {
                return (nil, false)
            }
            state.appendedAtLastTick = state.appended
            return (nil, true)
        }
        if let worker { send(worker) }
        if beginsWatch { scheduleTick() }
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
            handler()
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
