public import Foundation
public import FoundationNetworking

// @unchecked as in the superclass: no stored state is added.
/// A request whose response is kept in memory, with Alamofire's interface.
///
/// ```swift
/// session.request("https://example.com/users/7")
///     .validate()
///     .responseDecodable(of: User.self) { response in print(response.result) }
/// ```
///
/// It is a handle of one task. Its handlers are called exactly once each, in the order in which
/// they were added, whether the request succeeds, fails or is canceled. Handlers without a queue of
/// their own are called on the manager's ``SessionManager/completionQueue``.
public class DataRequest: Request, @unchecked Sendable {
    /// A closure that validates a response; `data` is nil if there is no body.
    public typealias Validation =
        @Sendable (
            _ request: URLRequest?, _ response: HTTPURLResponse, _ data: Data?
        ) -> ValidationResult
}

// @unchecked as in the superclass: no stored state is added.
/// A request that uploads a body from memory, a file, a stream or a form.
public final class UploadRequest: DataRequest, @unchecked Sendable {}

extension Request {
    /// The result of a validation: success, or the error that rejects the response.
    public typealias ValidationResult = Result<Void, any Error & Sendable>
}
