import BluebonnetTransport

/// The first answer to a question, where a cancellation counts as an answer.
package final class FirstAnswer<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Value, any Error>)
        case given(Result<Value, any Error>)
    }

    private let state = Locked(State.open)

    package init() {}

    package func give(_ result: Result<Value, any Error>) {
        let waiting = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            switch state {
            case .given: return nil
            case .open:
                state = .given(result)
                return nil
            case .awaited(let continuation):
                state = .given(result)
                return continuation
            }
        }
        waiting?.resume(with: result)
    }

    package var value: Value {
        get async throws {
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    let known = state.withLock { state -> Result<Value, any Error>? in
                        if case .given(let result) = state { return result }
                        state = .awaited(continuation)
                        return nil
                    }
                    if let known { continuation.resume(with: known) }
                }
            } onCancel: {
                give(.failure(CancellationError()))
            }
        }
    }
}
