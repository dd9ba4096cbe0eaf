import BluebonnetChain

/// A call that can be canceled.
public protocol Cancellable: Sendable {
    /// Whether the call was canceled.
    var isCancelled: Bool { get }

    /// Cancels the call at any stage; has no effect once it has ended.
    ///
    /// The completion receives ``/Bluebonnet/BluebonnetError/cancelled(_:)``, wrapped in
    /// ``TargetError/underlying(_:_:)``.
    func cancel()
}

/// Moya's name for the closure that receives the result of a call.
public typealias Completion = @Sendable (_ result: Result<TargetResponse, TargetError>) -> Void

/// Returns the value that a call completes with; canceling the Swift task cancels the call.
func completion<Value: Sendable>(
    of begin: (_ completion: @escaping @Sendable (Value) -> Void) -> any Cancellable
) async -> Value {
    let call = Locked<(any Cancellable)?>(nil)
    return await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
            // A subclass can call the completion more than once.
            let waiting = Locked<CheckedContinuation<Value, Never>?>(continuation)
            let made = begin { value in waiting.withLock { $0.take() }?.resume(returning: value) }
            call.withLock { $0 = made }
            // The Swift task can be canceled before there is a call.
            if Task.isCancelled { made.cancel() }
        }
    } onCancel: {
        call.withLock { $0 }?.cancel()
    }
}
