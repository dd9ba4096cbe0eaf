public import Foundation

extension SessionTask {
    /// Adds a completion handler with its own serializer, after the task's existing handlers.
    ///
    /// A task can have any number of handlers. Each is called exactly once, whether the task
    /// succeeds, fails or is canceled. Handlers get their responses in the order in which they were
    /// added, and handlers without a queue never overlap.
    ///
    /// The completion group and ``didCompleteNotification`` wait for the handlers that were added
    /// before the task completed. The notification has the first handler's value. A handler that is
    /// added later gets the parts of the outcome that were kept. A downloaded file without a
    /// destination has been deleted by then.
    ///
    /// The serializer does not validate the response. To validate the response with it as well,
    /// add ``ResponseValidator/serializer(_:)``.
    ///
    /// - Parameters:
    ///   - serializer: The serializer that creates the value from the body.
    ///   - queue: The queue on which the handler runs, or nil for the manager's
    ///     ``SessionManager/completionQueue`` at the time when the task was created.
    ///   - handler: Called with the response.
    public func addResponseHandler<Serializer: ResponseSerializer>(
        serializer: Serializer,
        on queue: DispatchQueue? = nil,
        handler: @escaping @Sendable (Response<Serializer.Value>) -> Void
    ) {
        delegate.add(
            Responder(
                serializer: delegate.setup.defaults.bound(serializer),
                receiver: .handler(handler, on: queue)))
    }

    /// Waits for the end of the task, and returns its response with a serialized body.
    ///
    /// The method resumes only a request of a chain that resumes automatically. Canceling the Swift
    /// task does not cancel this task.
    ///
    /// - Parameter serializer: The serializer that creates the value from the body. It does not
    ///   validate the response.
    /// - Returns: The response, which contains the error if the task failed.
    public func response<Serializer: ResponseSerializer>(
        serializer: Serializer
    ) async -> Response<Serializer.Value> {
        await delegate.addPending(serializer).response
    }
}
