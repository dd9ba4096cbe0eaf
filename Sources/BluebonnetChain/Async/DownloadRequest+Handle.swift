public import Bluebonnet

extension DownloadRequest {
    /// A handle for awaiting the response of a running download.
    ///
    /// Any number of Swift tasks can await it, also after the request has ended. All of them
    /// receive the same response. Releasing the handle does not cancel the request.
    public struct Serializing<Value: Sendable>: Sendable {
        fileprivate let base: SerializingTask<Value>

        /// The response, which has an error if the request failed.
        public var response: AFDownloadResponse<Value> {
            get async { AFDownloadResponse(await base.response) }
        }

        /// The value or the error of the response.
        public var result: Result<Value, BluebonnetError> {
            get async { await base.result }
        }

        /// The value of the response.
        ///
        /// - Throws: The error of the request, as for ``SerializingTask/value``.
        public var value: Value {
            get async throws(BluebonnetError) { try await base.value }
        }

        /// Cancels the request; has no effect once it has ended.
        public func cancel() { base.cancel() }

        /// Suspends the request until it is resumed.
        public func suspend() { base.suspend() }

        /// Resumes a suspended request, or starts a new one.
        public func resume() { base.resume() }
    }

    /// Adds a responder whose response Swift tasks await.
    func serializing<Serializer: ResponseSerializer>(
        _ serializer: Serializer, automaticallyCancelling: Bool
    ) -> Serializing<Serializer.Value> {
        let task: SerializingTask<Serializer.Value> = serializing(
            serializer, automaticallyCancelling: automaticallyCancelling)
        return Serializing(base: task)
    }
}
