import Foundation
import FoundationNetworking

extension DownloadRequest {
    /// Accepts the statuses 200 to 299, and then the media types of the request's `Accept`, if it has one.
    ///
    /// Without it every response is a success. Validations are asked in the order in which they were added, when the
    /// head has arrived, and the first error is the request's; add them before the first handler.
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

    /// Accepts some media types; an empty file has none, and is accepted.
    ///
    /// Case and parameters do not count, and `*` stands for any type or subtype. What is not of the form
    /// `type/subtype` is passed over. Only `*/*` accepts a body without a type.
    ///
    /// - Parameter acceptableContentTypes: The types; evaluated for each response.
    /// - Returns: The request.
    @discardableResult
    public func validate<S: Sequence & SendableMetatype>(
        contentType acceptableContentTypes: @escaping @Sendable @autoclosure () -> S
    ) -> Self where S.Element == String {
        adding(RequestValidation.contentTypes { Array(acceptableContentTypes()) })
    }

    /// Accepts what a closure does, which gets the complete file, before it is moved.
    ///
    /// It is called on the manager's callback queue, once an attempt, and also decides whether retriers are asked. It is
    /// not called where any other validation refuses the head, since the body is not written into the file then.
    ///
    /// - Parameter validation: Its error is the request's: a ``BluebonnetError`` as it is, another one below
    ///   ``BluebonnetError/validation(_:_:)``.
    /// - Returns: The request.
    @discardableResult
    public func validate(_ validation: @escaping Validation) -> Self {
        adding(
            .file { file, head, request in
                try validation(request, head.httpURLResponse, file).get()
            })
    }
}
