/// A response that Swift tasks wait for.
///
/// It is handed over under a lock: of a continuation that is resumed before it is awaited the runtime
/// tells the thread sanitizer nothing, which would report the response itself as a race.
final class PendingResponse<Value: Sendable>: Sendable {
    private enum State {
        case empty
        // Apart from the others, since mostly there is but one.
        case awaited(UnsafeContinuation<Void, Never>, others: [UnsafeContinuation<Void, Never>])
        case fulfilled(Response<Value>)
    }

    private let state = Locked(State.empty)

    /// Called once.
    func fulfil(_ response: Response<Value>) {
        let former = state.withLock { state in
            defer { state = .fulfilled(response) }
            return state
        }
        guard case .awaited(let continuation, let others) = former else { return }
        continuation.resume()
        for other in others { other.resume() }
    }

    /// The response; any number may wait for it.
    var response: Response<Value> {
        get async {
            while true {
                if let known { return known }
                // Unsafe only in that it is not counted: each state above resumes once at most.
                await withUnsafeContinuation { continuation in
                    if !awaits(with: continuation) { continuation.resume() }
                }
            }
        }
    }

    private var known: Response<Value>? {
        state.withLock { state in
            if case .fulfilled(let response) = state { response } else { nil }
        }
    }

    /// False when there is nothing to wait for.
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
