public import Bluebonnet
public import Dispatch

extension HTTPSessionManager {
    /// Calls a closure with all requests that have not ended, on the manager's callback queue.
    ///
    /// They include the requests of the chain and those of the verbs.
    ///
    /// - Parameter action: Called once.
    public func withAllRequests(perform action: @escaping @Sendable (Set<Request>) -> Void) {
        call(on: nil) { action(Set(self.tasks)) }
    }

    /// Cancels all requests that have not ended.
    ///
    /// Requests that are created during the call are not canceled.
    ///
    /// - Parameters:
    ///   - queue: The queue on which the closure is called. If it is nil,
    ///     ``/Bluebonnet/SessionManager/completionQueue`` is used, or else the manager's callback
    ///     queue.
    ///   - completion: Called after all requests have been canceled. They can end later.
    public func cancelAllRequests(
        completingOnQueue queue: DispatchQueue? = nil, completion: (@Sendable () -> Void)? = nil
    ) {
        for task in tasks.reversed() { task.cancel() }
        guard let completion else { return }
        call(on: queue ?? completionQueue, completion)
    }

    /// Cancels all requests that have not ended, and waits until their handlers have returned.
    ///
    /// It does not wait for the handlers of requests that had already ended.
    public func cancelAllRequestsAndWait() async {
        let tasks = tasks
        for task in tasks.reversed() { task.cancel() }
        for task in tasks {
            await withCheckedContinuation { continuation in
                task.delegate.afterDelivery { continuation.resume() }
            }
        }
    }
}
