import BluebonnetTransport
import Foundation

/// A thread-safe log of values, in order.
///
/// A test can wait for a number of them.
final class Recorder<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Locked(State())

    func add(_ element: Element) {
        let ready = state.withLock { state in
            state.elements.append(element)
            let count = state.elements.count
            let ready = state.waiting.filter { $0.count <= count }
            state.waiting.removeAll { $0.count <= count }
            return ready
        }
        for waiter in ready { waiter.continuation.resume() }
    }

    var all: [Element] { state.withLock { $0.elements } }
    var count: Int { all.count }

    /// Waits for this many values and returns them.
    @discardableResult
    func wait(for count: Int) async -> [Element] {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.elements.count < count { state.waiting.append((count, continuation)) }
                return state.elements.count >= count
            }
            if isThere { continuation.resume() }
        }
        return all
    }
}

/// Waits, without sleeping, for a condition that no callback reports, such as a deinit.
func until(_ condition: () -> Bool) async -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(20)
    while clock.now < end {
        if condition() { return true }
        await Task.yield()
    }
    return condition()
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
