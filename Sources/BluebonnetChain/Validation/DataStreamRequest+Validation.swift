public import Bluebonnet

extension DataStreamRequest {
    /// Accepts the status codes 200 to 299 and, if the request has an `Accept` field, its media
    /// types.
    ///
    /// A rejected response is not streamed. The error's context contains its body.
    ///
    /// - Returns: The request.
    @discardableResult
    public func validate() -> Self { adding(RequestValidation.standard) }

    /// Accepts the given status codes; an empty sequence accepts no response.
    ///
    /// - Parameter acceptableStatusCodes: The status codes.
    /// - Returns: The request.
    @discardableResult
    public func validate<S: Sequence>(statusCode acceptableStatusCodes: S) -> Self
    where S.Element == Int {
        adding(RequestValidation.statusCodes(Set(acceptableStatusCodes)))
    }

    /// Accepts the given media types, as ``DataTask/validate(contentType:)`` does.
    ///
    /// - Parameter acceptableContentTypes: The media types; evaluated for each response.
    /// - Returns: The request.
    @discardableResult
    public func validate<S: Sequence & SendableMetatype>(
        contentType acceptableContentTypes: @escaping @Sendable @autoclosure () -> S
    ) -> Self where S.Element == String {
        adding(RequestValidation.contentTypes { Array(acceptableContentTypes()) })
    }

    /// Accepts the responses that a closure accepts; the closure receives only the head.
    ///
    /// It is called on the manager's callback queue, before the body is streamed.
    ///
    /// - Parameter validation: Returns success, or the error that fails the request. An error other
    ///   than a ``BluebonnetError`` is wrapped in ``/Bluebonnet/BluebonnetError/validation(_:_:)``.
    /// - Returns: The request.
    @discardableResult
    public func validate(_ validation: @escaping Validation) -> Self {
        adding(.head { head, request in try validation(request, head.httpURLResponse).get() })
    }
}
