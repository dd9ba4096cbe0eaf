public import Bluebonnet

extension Response {
    /// Returns the response with a transformed value; an error stays unchanged.
    ///
    /// - Parameter transform: Creates the new value.
    /// - Returns: The response.
    public func map<New: Sendable>(_ transform: (Value) -> New) -> Response<New> {
        Response<New>(result.map(transform), partsWithoutBody)
    }

    /// Returns the response with a transformed value; an error stays unchanged.
    ///
    /// - Parameter transform: Creates the new value. If it throws, the response has its error. An
    ///   error other than a ``BluebonnetError`` is wrapped in
    ///   ``/Bluebonnet/BluebonnetError/unreadableBody(_:_:)``.
    /// - Returns: The response.
    public func tryMap<New: Sendable>(_ transform: (Value) throws -> New) -> Response<New> {
        Response<New>(
            result.flatMap { value in Result { try transform(value) }.mapError(wrapped) },
            partsWithoutBody)
    }

    /// Returns the response with a transformed error; a value stays unchanged.
    ///
    /// - Parameter transform: Creates the new error.
    /// - Returns: The response.
    public func mapError(_ transform: (BluebonnetError) -> BluebonnetError) -> Response {
        Response(result.mapError(transform), parts)
    }

    /// Returns the response with a transformed error; a value stays unchanged.
    ///
    /// - Parameter transform: Creates the new error. If it throws, the response has its error, as
    ///   with ``tryMap(_:)``.
    /// - Returns: The response.
    public func tryMapError(_ transform: (BluebonnetError) throws -> BluebonnetError) -> Response {
        mapError { error in
            do {
                return try transform(error)
            } catch {
                return wrapped(error)
            }
        }
    }

    /// Returns the error of a caller's closure as an error of the response.
    private func wrapped(_ error: any Error) -> BluebonnetError {
        if let error = error as? BluebonnetError { return error }
        var context = BluebonnetError.Context(
            request: request, head: head, data: data, underlying: error, resumeData: resumeData)
        context.sent = self.error?.context.sent
        return .unreadableBody("\(error)", context)
    }

    private var partsWithoutBody: ResponseParts {
        ResponseParts(
            parts.outcome, unacceptedBody: nil, serializationTime: parts.serializationTime)
    }
}
