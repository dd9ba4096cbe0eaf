/// A response that Swift tasks can await.
///
/// The response is passed under a lock instead of by the continuation. If a continuation is resumed
/// before it is awaited, the runtime does not inform the thread sanitizer, which would then report
/// the response as a race.
package final class PendingResponse<Value: Sendable>: Sendable {
    private enum State {
        case empty
        // The first is separate from the others, because there is usually only one.
        case awaited(UnsafeContinuation<Void, Never>, others: [UnsafeContinuation<Void, Never>])
        case fulfilled(Response<Value>)
    }

    private let state = Locked(State.empty)

    /// Sets the response; called once.
    func fulfil(_ response: Response<Value>) {
        let former = state.withLock { state in
            defer { state = .fulfilled(response) }
            return state
        }
        guard case .awaited(let continuation, let others) = former else { return }
        continuation.resume()
        for other in others { other.resume() }
    }

    /// The response; any number of Swift tasks can await it.
    package var response: Response<Value> {
        get async {
            while true {
                // Unsafe only in that resumes are not checked: each state above resumes a
                // continuation at most once.
                await withUnsafeContinuation { continuation in
                    if !awaits(with: continuation) { continuation.resume() }
                }
                if let known { return known }
            }
        }
    }

    private var known: Response<Value>? {
        state.withLock { state in
            if case .fulfilled(let response) = state { response } else { nil }
        }
    }

    /// Adds a continuation, or returns false if the response is already there.
    private func awaits(with continuation: UnsafeContinuation<Void, Never>) -> Bool {
        state.withLock { state in
            switch state {
            case .empty: state = .awaited(continuation, others: [])
            case .awaited(let first, let others):
                state = .awaited(first, others: others + [continuation])
            case .fulfilled: return false
            }
            return true
        }
    }
}
