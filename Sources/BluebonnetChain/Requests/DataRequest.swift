public import Bluebonnet

/// Alamofire's name for a task whose response is kept in memory.
///
/// ```swift
/// session.request("https://example.com/users/7")
///     .validate()
///     .responseDecodable(of: User.self) { response in print(response.result) }
/// ```
///
/// Its handlers are called exactly once each, in the order in which they were added, whether the
/// request succeeds, fails or is canceled. Handlers without a queue of their own are called on the
/// manager's ``/Bluebonnet/SessionManager/completionQueue``.
public typealias DataRequest = DataTask

/// Alamofire's name for a task that uploads a body from memory, a file, a stream or a form.
public typealias UploadRequest = UploadTask

extension DataRequest {
    /// A closure that validates a response; `data` is nil if there is no body.
    public typealias Validation =
        @Sendable (
            _ request: URLRequest?, _ response: HTTPURLResponse, _ data: Data?
        ) -> ValidationResult
}

extension Request {
    /// The result of a validation: success, or the error that rejects the response.
    public typealias ValidationResult = Result<Void, any Error & Sendable>
}
