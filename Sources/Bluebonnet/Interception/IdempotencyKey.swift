import Foundation
public import FoundationNetworking

/// Adds an `Idempotency-Key` to requests whose method is not idempotent, so that they can be retried.
///
/// ```swift
/// manager.interceptors.append(.idempotencyKey)
/// ```
///
/// A server that knows the field processes each key once (draft-ietf-httpapi-idempotency-key-header). A request with
/// one counts as idempotent: it is sent again after a lost connection, and retry policies may retry it. Add this only
/// where the server goes by the field.
///
/// The key is a random UUID in quotes, the same for all attempts of a task and different for every task. A key that
/// the request has already is kept. GET, HEAD, PUT, DELETE, OPTIONS and TRACE get none.
public struct IdempotencyKey: RequestInterceptor {
    private static let field = "Idempotency-Key"

    /// Creates the adapter.
    public init() {}

    /// Returns the request with a key, if it needs one.
    ///
    /// - Parameters:
    ///   - urlRequest: The request.
    ///   - state: The attempt, whose ``RequestAdapterState/requestID`` becomes the key.
    /// - Returns: The request to send.
    public func adapt(
        _ urlRequest: URLRequest, using state: RequestAdapterState
    ) async -> URLRequest {
        guard !HTTPMethod(rawValue: urlRequest.httpMethod ?? "GET").isIdempotent,
            urlRequest.value(forHTTPHeaderField: Self.field)?.isEmpty ?? true
        else { return urlRequest }
        var request = urlRequest
        // Nothing is stored: the identifier is the task's, whatever the attempt.
        request.setValue(
            state.requestID.uuidString.lowercased().quotedString, forHTTPHeaderField: Self.field)
        return request
    }
}

extension RequestAdapter where Self == IdempotencyKey {
    /// An adapter that adds an `Idempotency-Key`; see ``IdempotencyKey``.
    public static var idempotencyKey: IdempotencyKey { IdempotencyKey() }
}
