/// A request that is under way and whose response Swift tasks wait for.
///
/// Any number may wait, also after the end, and all get the same. Letting go of it does not end the request.
public struct SerializingTask<Value: Sendable>: Sendable {
    private let request: Request
    private let pending: PendingResponse<Value>
    private let cancelsAutomatically: Bool

    init(_ request: Request, _ pending: PendingResponse<Value>, cancelsAutomatically: Bool) {
        self.request = request
        self.pending = pending
        self.cancelsAutomatically = cancelsAutomatically
    }

    /// The response, with the error of a request that failed.
    public var response: Response<Value> {
        get async {
            guard cancelsAutomatically else { return await pending.response }
            return await withTaskCancellationHandler {
                await pending.response
            } onCancel: {
                request.cancel()
            }
        }
    }

    /// The value or the error.
    public var result: Result<Value, BluebonnetError> {
        get async { await response.result }
    }

    /// The value.
    ///
    /// - Throws: Whatever made the request fail; ``BluebonnetError/cancelled(_:)`` where the Swift task that waits
    ///   was cancelled, unless the form was called with `automaticallyCancelling: false`.
    public var value: Value {
        get async throws(BluebonnetError) { try await result.get() }
    }

    /// Ends the request as cancelled, unless it has ended.
    public func cancel() { request.cancel() }

    /// Stops the request until it is resumed.
    public func suspend() { request.suspend() }

    /// Lets a suspended request go on, or starts one that has not been.
    public func resume() { request.resume() }
}

extension Request {
    /// Adds a responder whose response Swift tasks wait for: every `serializing` form ends here.
    func serializing<Serializer: ResponseSerializer>(
        _ serializer: Serializer, automaticallyCancelling: Bool
    ) -> SerializingTask<Serializer.Value> {
        let pending = PendingResponse<Serializer.Value>()
        // Before the start, so that a cancelled caller sends nothing.
        if automaticallyCancelling, Task.isCancelled { cancel() }
        add(
            Responder(
                serializer: delegate.setup.defaults.bound(serializer),
                receiver: .awaiting(pending)))
        return SerializingTask(self, pending, cancelsAutomatically: automaticallyCancelling)
    }
}
