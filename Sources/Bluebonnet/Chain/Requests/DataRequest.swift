public import Foundation
public import FoundationNetworking

// @unchecked as in the superclass: no stored state is added.
/// A request whose response is kept in memory, as Alamofire's users write it.
///
/// ```swift
/// session.request("https://example.com/users/7")
///     .validate()
///     .responseDecodable(of: User.self) { response in print(response.result) }
/// ```
///
/// It is a handle of one task. Its handlers are called in the order in which they were added, exactly once each,
/// whatever its fate; those without a queue of their own on the manager's ``SessionManager/completionQueue``.
public class DataRequest: Request, @unchecked Sendable {
    /// Judges a response; `data` is nil where there is no body.
    public typealias Validation =
        @Sendable (
            _ request: URLRequest?, _ response: HTTPURLResponse, _ data: Data?
        ) -> ValidationResult
}

// @unchecked as in the superclass: no stored state is added.
/// A request with a body of its own, from memory, a file, a stream or a form.
public final class UploadRequest: DataRequest, @unchecked Sendable {}

extension Request {
    /// What a validation says: nothing, or why the response is refused.
    public typealias ValidationResult = Result<Void, any Error & Sendable>
}
