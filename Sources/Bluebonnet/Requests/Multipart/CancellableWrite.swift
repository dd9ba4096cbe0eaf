import BluebonnetTransport
import Dispatch

/// The writing of a file that a Swift task waits for, unless it is cancelled.
final class CancellableWrite: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Void, any Error>?
        var isCancelled = false
        /// Whether the file is about to appear at its place, which a cancel cannot prevent any more.
        var isSettled = false
    }

    private let state = Locked(State())

    /// Runs `work` on a queue and waits for its end.
    ///
    /// - Throws: What it throws, or a `CancellationError` at once when the Swift task is cancelled,
    ///   even while the work waits for something.
    func run(
        on queue: DispatchQueue, _ work: @escaping @Sendable () throws -> Void
    ) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { $0.continuation = continuation }
                queue.async { [self] in
                    end(with: Result { try work() })
                }
                if Task.isCancelled { cancel() }
            }
        } onCancel: {
            cancel()
        }
    }

    /// - Throws: A `CancellationError` where nobody wants the file any more.
    func check() throws {
        if state.withLock({ $0.isCancelled }) { throw CancellationError() }
    }

    /// As ``check()``; afterwards it is too late to cancel.
    func settle() throws {
        try state.withLock { state in
            guard !state.isCancelled else { throw CancellationError() }
            state.isSettled = true
        }
    }

    private func cancel() {
        let continuation = state.withLock { state in
            guard !state.isSettled else { return nil as CheckedContinuation<Void, any Error>? }
            state.isCancelled = true
            return state.continuation.take()
        }
        continuation?.resume(throwing: CancellationError())
    }

    private func end(with result: Result<Void, any Error>) {
        state.withLock { $0.continuation.take() }?.resume(with: result)
    }
}
