import BluebonnetTestSupport
import Foundation

/// Waits, without sleeping, for a condition that no callback reports.
func until(_ condition: () -> Bool) async -> Bool {
    let end = MonotonicClock.seconds + 20
    while MonotonicClock.seconds < end {
        if condition() { return true }
        await Task.yield()
    }
    return condition()
}

extension DispatchGroup {
    /// Waits, without blocking a thread, until the group is empty.
    ///
    /// The suite's time limit applies.
    func left() async {
        await withCheckedContinuation { continuation in
            notify(queue: .global()) { continuation.resume() }
        }
    }
}

/// Runs blocking code on a separate thread.
///
/// Swift's threads are few, and handlers can block them.
func onOwnThread(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            body()
            continuation.resume()
        }
    }
}
