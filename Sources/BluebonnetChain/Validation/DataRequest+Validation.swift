public import Bluebonnet

extension DataRequest {
    /// Accepts the status codes 200 to 299 and, if the request has an `Accept` field, its media
    /// types.
    ///
    /// Without a validation, every response is a success. Validations run in the order in which
    /// they were added, when the head has arrived. The first error fails the request. Add
    /// validations before the first handler.
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

    /// Accepts the given media types; an empty body has no type and is accepted.
    ///
    /// Case and parameters are ignored, and `*` matches any type or subtype. An entry that is not
    /// of the form `type/subtype` is ignored. Only `*/*` accepts a body without a type.
    ///
    /// - Parameter acceptableContentTypes: The media types; evaluated for each response.
    /// - Returns: The request.
    @discardableResult
    public func validate<S: Sequence & SendableMetatype>(
        contentType acceptableContentTypes: @escaping @Sendable @autoclosure () -> S
    ) -> Self where S.Element == String {
        adding(RequestValidation.contentTypes { Array(acceptableContentTypes()) })
    }

    /// Accepts the responses that a closure accepts; the closure receives the whole body.
    ///
    /// It is called on the manager's callback queue, once for each attempt that is not rejected
    /// before. If it rejects a response, retriers can retry the request.
    ///
    /// - Parameter validation: Returns success, or the error that fails the request. An error other
    ///   than a ``BluebonnetError`` is wrapped in ``/Bluebonnet/BluebonnetError/validation(_:_:)``.
    /// - Returns: The request.
    @discardableResult
    public func validate(_ validation: @escaping Validation) -> Self {
        adding(
            .body { data, head, request in
                try validation(request, head.httpURLResponse, data.isEmpty ? nil : data).get()
            })
    }
}

extension Request {
    /// Adds a validator to the task.
    func adding(_ validator: ResponseValidator) -> Self {
        addValidator(validator)
        return self
    }
}
