/// A response that Swift tasks can await.
///
/// The response is passed under a lock instead of by the continuation. If a continuation is resumed
/// before it is awaited, the runtime does not inform the thread sanitizer, which would then report
/// the response as a race.
// Unchecked: `fulfilled` is written under the lock, once, and read only after the lock has said so.
package final class PendingResponse<Value: Sendable>: @unchecked Sendable {
    private let waiters = Locked(Waiters.none)
    private var fulfilled: Response<Value>?

    /// Sets the response; called once.
    func fulfil(_ response: Response<Value>) {
        let former = waiters.withLock { waiters in
            fulfilled = response
            defer { waiters = .released }
            return waiters
        }
        guard case .waiting(let continuation, let others) = former else { return }
        continuation.resume()
        for other in others { other.resume() }
    }

    /// The response; any number of Swift tasks can await it.
    package var response: Response<Value> {
        get async {
            while true {
                // Unsafe only in that resumes are not checked: each waiter is resumed once, either
                // here or by the one call of `fulfil`.
                await withUnsafeContinuation { continuation in
                    if !waiters.withLock({ $0.add(continuation) }) { continuation.resume() }
                }
                if waiters.withLock({ $0.areReleased }), let fulfilled { return fulfilled }
            }
        }
    }
}

/// The Swift tasks that await a response.
private enum Waiters {
    case none
    // The first is separate from the others, because there is usually only one.
    case waiting(UnsafeContinuation<Void, Never>, others: [UnsafeContinuation<Void, Never>])
    case released

    var areReleased: Bool { if case .released = self { true } else { false } }

    /// Adds a continuation, or returns false if the response is already there.
    mutating func add(_ continuation: UnsafeContinuation<Void, Never>) -> Bool {
        switch self {
        case .none: self = .waiting(continuation, others: [])
        case .waiting(let first, let others):
            self = .waiting(first, others: others + [continuation])
        case .released: return false
        }
        return true
    }
}
