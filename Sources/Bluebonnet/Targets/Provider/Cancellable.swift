/// A call that can be cancelled.
public protocol Cancellable: Sendable {
    /// Whether it was cancelled.
    var isCancelled: Bool { get }

    /// Cancels the call, at any stage; does nothing once it has ended.
    ///
    /// Its completion is called with ``BluebonnetError/cancelled(_:)`` below ``TargetError/underlying(_:_:)``.
    func cancel()
}

/// Waits for what a call is completed with; cancelling the Swift task cancels the call.
func completion<Value: Sendable>(
    of begin: (_ completion: @escaping @Sendable (Value) -> Void) -> any Cancellable
) async -> Value {
    let call = Locked<(any Cancellable)?>(nil)
    return await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
            // A subclass may complete more than once.
            let waiting = Locked<CheckedContinuation<Value, Never>?>(continuation)
            let made = begin { value in waiting.withLock { $0.take() }?.resume(returning: value) }
            call.withLock { $0 = made }
            // It may have been cancelled before there was a call.
            if Task.isCancelled { made.cancel() }
        }
    } onCancel: {
        call.withLock { $0 }?.cancel()
    }
}
