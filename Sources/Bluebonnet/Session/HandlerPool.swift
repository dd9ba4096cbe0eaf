import BluebonnetTransport
import Foundation

/// Runs completion handlers for managers without a completion queue, on a private concurrent queue.
///
/// Handlers come in bursts and are mostly short, so a worker runs one after the other instead of
/// each waking a thread. While any wait, another worker is on its way, so one that blocks holds up
/// nobody.
final class HandlerPool: Sendable {
    static let shared = HandlerPool()

    private struct State {
        var handlers = FIFO<@Sendable () -> Void>()
        var isWorkerOnItsWay = false

        /// Whether a worker has to be sent for.
        mutating func needsWorker() -> Bool {
            guard !handlers.isEmpty, !isWorkerOnItsWay else { return false }
            isWorkerOnItsWay = true
            return true
        }
    }

    private let queue = DispatchQueue(label: "bluebonnet.completion", attributes: .concurrent)
    private let state = Locked(State())

    func async(_ handler: @escaping @Sendable () -> Void) {
        let needsWorker = state.withLock { state in
            state.handlers.append(handler)
            return state.needsWorker()
        }
        if needsWorker { sendWorker() }
    }

    private func sendWorker() {
        queue.async { [self] in
            state.withLock { $0.isWorkerOnItsWay = false }
            work()
        }
    }

    private func work() {
        while true {
            let (handler, needsWorker) = state.withLock { state in
                (state.handlers.pop(), state.needsWorker())
            }
            if needsWorker { sendWorker() }
            guard let handler else { return }
            handler()
        }
    }
}
