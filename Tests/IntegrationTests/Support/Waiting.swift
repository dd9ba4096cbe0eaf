import BluebonnetTestSupport
import Foundation

/// Waits, without sleeping, until something holds that no callback tells of.
func until(_ condition: () -> Bool) async -> Bool {
    let end = MonotonicClock.seconds + 20
    while MonotonicClock.seconds < end {
        if condition() { return true }
        await Task.yield()
    }
    return condition()
}

extension DispatchGroup {
    /// Waits, without blocking a thread, until everybody has left; the suite's time limit bounds it.
    func left() async {
        await withCheckedContinuation { continuation in
            notify(queue: .global()) { continuation.resume() }
        }
    }
}

/// Runs something that blocks on a thread of its own: Swift's are few, and handlers can block them.
func onOwnThread(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            body()
            continuation.resume()
        }
    }
}
