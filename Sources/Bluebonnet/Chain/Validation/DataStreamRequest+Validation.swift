import Foundation
import FoundationNetworking

extension DataStreamRequest {
    /// Accepts the statuses 200 to 299, and then the media types of the request's `Accept`, if it has one.
    ///
    /// What is refused is not streamed; its body is in the error's context.
    ///
    /// - Returns: The request.
    @discardableResult
    public func validate() -> Self { adding(RequestValidation.standard) }

    /// Accepts some statuses; none accepts no response.
    ///
    /// - Parameter acceptableStatusCodes: The statuses.
    /// - Returns: The request.
    @discardableResult
    public func validate<S: Sequence>(statusCode acceptableStatusCodes: S) -> Self
    where S.Element == Int {
        adding(RequestValidation.statusCodes(Set(acceptableStatusCodes)))
    }

    /// Accepts some media types, as ``DataRequest/validate(contentType:)`` does.
    ///
    /// - Parameter acceptableContentTypes: The types; evaluated for each response.
    /// - Returns: The request.
    @discardableResult
    public func validate<S: Sequence & SendableMetatype>(
        contentType acceptableContentTypes: @escaping @Sendable @autoclosure () -> S
    ) -> Self where S.Element == String {
        adding(RequestValidation.contentTypes { Array(acceptableContentTypes()) })
    }

    /// Accepts what a closure does, which gets the head alone.
    ///
    /// It is called on the manager's callback queue, before anything of the body is streamed.
    ///
    /// - Parameter validation: Its error is the request's: a ``BluebonnetError`` as it is, another one below
    ///   ``BluebonnetError/validation(_:_:)``.
    /// - Returns: The request.
    @discardableResult
    public func validate(_ validation: @escaping Validation) -> Self {
        adding(.head { head, request in try validation(request, head.httpURLResponse).get() })
    }
}
