public import Foundation

extension SessionTask {
    /// Adds a completion handler with a serializer of its own, behind those that the task has.
    ///
    /// A task may have any number of them, and each is called exactly once, whatever the task's fate. They
    /// get their responses in the order in which they were added, and those without a queue never overlap.
    /// The completion group and ``didCompleteNotification`` wait for those that were there when the task
    /// completed, and the notification has the first one's value. One that is added after that is called
    /// with what was kept of the task; a downloaded file without a destination is gone by then.
    ///
    /// The serializer serializes; what it accepts is not asked. To have responses judged by it, add
    /// ``ResponseValidator/serializer(_:)``.
    ///
    /// - Parameters:
    ///   - serializer: Makes the value of the body.
    ///   - queue: Where the handler runs; nil for the ``SessionManager/completionQueue`` that was the
    ///     manager's when the task was made.
    ///   - handler: Called with the response.
    public func addResponseHandler<Serializer: ResponseSerializer>(
        serializer: Serializer,
        on queue: DispatchQueue? = nil,
        handler: @escaping @Sendable (Response<Serializer.Value>) -> Void
    ) {
        delegate.add(
            Responder(
                serializer: delegate.bound(serializer),
                receiver: .handler(handler, on: queue)))
    }

    /// Waits for the task's end, and serializes its body.
    ///
    /// It neither resumes the task nor, when the Swift task is cancelled, cancels it.
    public func response<Serializer: ResponseSerializer>(
        serializer: Serializer
    ) async -> Response<Serializer.Value> {
        let pending = PendingResponse<Serializer.Value>()
        delegate.add(
            Responder(serializer: delegate.bound(serializer), receiver: .awaiting(pending)))
        return await pending.response
    }
}

extension TaskDelegate {
    /// A serializer that has from the manager, as it was when the task was made, what it was not told.
    fileprivate func bound<Serializer: ResponseSerializer>(_ serializer: Serializer) -> Serializer {
        setup.defaults.bound(serializer)
    }
}
