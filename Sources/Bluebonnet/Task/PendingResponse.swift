/// A response that a Swift task waits for.
///
/// It is handed over under a lock: of a continuation that is resumed before it is awaited the runtime
/// tells the thread sanitizer nothing, which would report the response itself as a race.
final class PendingResponse<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case awaited(UnsafeContinuation<Void, Never>)
        case fulfilled(Response<Value>)
    }

    private let state = Locked(State.empty)

    /// Called once.
    func fulfil(_ response: Response<Value>) {
        let continuation: UnsafeContinuation<Void, Never>? = state.withLock { state in
            defer { state = .fulfilled(response) }
            if case .awaited(let continuation) = state { return continuation }
            return nil
        }
        continuation?.resume()
    }

    /// Read once.
    var response: Response<Value> {
        get async {
            while true {
                if let known = take() { return known }
                // Unsafe only in that it is not counted: each state above resumes once at most.
                await withUnsafeContinuation { continuation in
                    if !awaits(with: continuation) { continuation.resume() }
                }
            }
        }
    }

    private func take() -> Response<Value>? {
        state.withLock { state in
            guard case .fulfilled(let response) = state else { return nil }
            state = .empty
            return response
        }
    }

    /// False when there is nothing to wait for.
    private func awaits(with continuation: UnsafeContinuation<Void, Never>) -> Bool {
        state.withLock { state in
            if case .fulfilled = state { return false }
            state = .awaited(continuation)
            return true
        }
    }
}
