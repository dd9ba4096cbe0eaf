public import Bluebonnet

/// A handle for awaiting the response of a running request.
///
/// Any number of Swift tasks can await it, also after the request has ended. All of them receive
/// the same response. Releasing the handle does not cancel the request.
public struct SerializingTask<Value: Sendable>: Sendable {
    private let request: Request
    private let pending: PendingResponse<Value>
    private let cancelsAutomatically: Bool

    init(_ request: Request, _ pending: PendingResponse<Value>, cancelsAutomatically: Bool) {
        self.request = request
        self.pending = pending
        self.cancelsAutomatically = cancelsAutomatically
    }

    /// The response, which has an error if the request failed.
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

    /// The value or the error of the response.
    public var result: Result<Value, BluebonnetError> {
        get async { await response.result }
    }

    /// The value of the response.
    ///
    /// - Throws: The error of the request. If the waiting Swift task is canceled, the request fails
    ///   with ``/Bluebonnet/BluebonnetError/cancelled(_:)``, unless the handle was created with
    ///   `automaticallyCancelling: false`.
    public var value: Value {
        get async throws(BluebonnetError) { try await result.get() }
    }

    /// Cancels the request; has no effect once it has ended.
    public func cancel() { request.cancel() }

    /// Suspends the request until it is resumed.
    public func suspend() { request.suspend() }

    /// Resumes a suspended request, or starts a new one.
    public func resume() { request.resume() }
}

extension Request {
    /// Adds a responder whose response Swift tasks await; all `serializing` methods end here.
    func serializing<Serializer: ResponseSerializer>(
        _ serializer: Serializer, automaticallyCancelling: Bool
    ) -> SerializingTask<Serializer.Value> {
        // Before the start, so that a canceled caller sends nothing.
        if automaticallyCancelling, Task.isCancelled { cancel() }
        let pending = delegate.addPending(serializer)
        return SerializingTask(self, pending, cancelsAutomatically: automaticallyCancelling)
    }
}
