import BluebonnetTransport
import Foundation

/// Runs completion handlers for managers without a completion queue, several at a time.
///
/// Handlers come in bursts and are mostly short, so a worker runs one after the other instead of
/// each waking a thread. While any wait, another worker is on its way, so one that blocks holds up
/// nobody. Workers are serial queues, each with a thread at once when it needs one: the threads of
/// concurrent queues are few, grow by one a second, and run all Swift tasks as well.
final class HandlerPool: Sendable {
    static let shared = HandlerPool()

    /// So many handlers may block before others wait.
    private static let maximumWorkers = 64

    private struct State {
        var handlers = FIFO<@Sendable () -> Void>()
        var isWorkerOnItsWay = false
        var idleWorkers: [DispatchQueue] = []
        var workerCount = 0

        /// The worker to send for, if one is needed and to be had.
        mutating func nextWorker() -> DispatchQueue? {
            guard !handlers.isEmpty, !isWorkerOnItsWay else { return nil }
            if let worker = idleWorkers.popLast() {
                isWorkerOnItsWay = true
                return worker
            }
            guard workerCount < maximumWorkers else { return nil }
            workerCount += 1
            isWorkerOnItsWay = true
            return DispatchQueue(label: "bluebonnet.completion.\(workerCount)")
        }
    }

    private let state = Locked(State())

    func async(_ handler: @escaping @Sendable () -> Void) {
        let worker = state.withLock { state in
            state.handlers.append(handler)
            return state.nextWorker()
        }
        if let worker { send(worker) }
    }

    private func send(_ worker: DispatchQueue) {
        worker.async { [self] in
            state.withLock { $0.isWorkerOnItsWay = false }
            work(as: worker)
        }
    }

    private func work(as worker: DispatchQueue) {
        while true {
            let (handler, next) = state.withLock { state in
                let handler = state.handlers.pop()
                if handler == nil { state.idleWorkers.append(worker) }
                return (handler, state.nextWorker())
            }
            if let next { send(next) }
            guard let handler else { return }
            handler()
        }
    }
}
