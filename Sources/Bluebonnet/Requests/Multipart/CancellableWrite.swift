import BluebonnetTransport
import Dispatch

/// A file write that a Swift task waits for, and that it can cancel.
package final class CancellableWrite: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Void, any Error>?
        var isCancelled = false
        /// Whether the file is about to be moved to its destination, so it is too late to cancel.
        var isSettled = false
    }

    private let state = Locked(State())

    package init() {}

    /// Runs `work` on a queue and waits for it to end.
    ///
    /// - Throws: An error from `work`, or a `CancellationError` as soon as the Swift task is
    ///   canceled, even if the work is blocked.
    package func run(
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

    /// Checks for cancellation.
    ///
    /// - Throws: A `CancellationError` if the write has been canceled.
    func check() throws {
        if state.withLock({ $0.isCancelled }) { throw CancellationError() }
    }

    /// Checks for cancellation, after which the write can no longer be canceled.
    ///
    /// - Throws: A `CancellationError` if the write has been canceled.
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
