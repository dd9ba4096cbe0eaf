public import Dispatch

extension HTTPSessionManager {
    /// Calls a closure with the requests that have not ended, on the manager's callback queue.
    ///
    /// They are those of the chain and of the verbs.
    ///
    /// - Parameter action: Called once.
    public func withAllRequests(perform action: @escaping @Sendable (Set<Request>) -> Void) {
        let session = settings.withLock { $0.session }
        session.callbacks.dispatchQueue.async(
            execute: session.work.counting {
                action(Set(session.map.withLock { $0.all }.map(\.request)))
            })
    }

    /// Cancels the requests that have not ended; those that are made meanwhile go on.
    ///
    /// - Parameters:
    ///   - queue: Where the closure is called; nil for ``SessionManager/completionQueue`` or, without one, the
    ///     manager's callback queue.
    ///   - completion: Called when all of them were told; that can be before they have ended.
    public func cancelAllRequests(
        completingOnQueue queue: DispatchQueue? = nil, completion: (@Sendable () -> Void)? = nil
    ) {
        for task in tasks.reversed() { task.cancel() }
        guard let completion else { return }
        let session = settings.withLock { $0.session }
        (queue ?? completionQueue ?? session.callbacks.dispatchQueue).async(
            execute: session.work.counting(completion))
    }

    /// Cancels the requests that have not ended, and waits until all of them have, with their handlers.
    ///
    /// It does not wait for the handlers of requests that had ended before.
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
