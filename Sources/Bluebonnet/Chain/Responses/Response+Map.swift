extension Response {
    /// Returns the same response with another value; an error stays as it is.
    ///
    /// - Parameter transform: Makes the value.
    /// - Returns: The response.
    public func map<New: Sendable>(_ transform: (Value) -> New) -> Response<New> {
        Response<New>(result.map(transform), partsWithoutBody)
    }

    /// Returns the same response with another value; an error stays as it is.
    ///
    /// - Parameter transform: Makes the value; what it throws becomes the response's error, below
    ///   ``BluebonnetError/unreadableBody(_:_:)`` unless it is a ``BluebonnetError``.
    /// - Returns: The response.
    public func tryMap<New: Sendable>(_ transform: (Value) throws -> New) -> Response<New> {
        Response<New>(
            result.flatMap { value in Result { try transform(value) }.mapError(wrapped) },
            partsWithoutBody)
    }

    /// Returns the same response with another error; a value stays as it is.
    ///
    /// - Parameter transform: Makes the error.
    /// - Returns: The response.
    public func mapError(_ transform: (BluebonnetError) -> BluebonnetError) -> Response {
        Response(result.mapError(transform), parts)
    }

    /// Returns the same response with another error; a value stays as it is.
    ///
    /// - Parameter transform: Makes the error; what it throws takes its place, as that of ``tryMap(_:)``.
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

    /// An error of the caller's as one of the response's.
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
