import Foundation
public import FoundationNetworking

/// Adds an `Idempotency-Key` field to requests with a method that is not idempotent.
///
/// ```swift
/// manager.interceptors.append(.idempotencyKey)
/// ```
///
/// A server that supports the field processes each key once
/// (draft-ietf-httpapi-idempotency-key-header). A request with the field counts as idempotent. It
/// is sent again after a lost connection, and retry policies can retry it. Use this adapter only
/// with servers that support the field.
///
/// The key is a random UUID in quotes. All attempts of a task have the same key, and every task has
/// a different one. A key that the request already has is kept. GET, HEAD, PUT, DELETE, OPTIONS and
/// TRACE requests get no key.
public struct IdempotencyKey: RequestInterceptor {
    private static let field = "Idempotency-Key"

    /// Creates the adapter.
    public init() {}

    /// Returns the request, with a key if its method is not idempotent and it has none.
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
        // No key is stored, because the identifier is the same for all attempts of a task.
        request.setField(
            Self.field, to: state.requestID.uuidString.lowercased().quotedString)
        return request
    }
}

extension RequestAdapter where Self == IdempotencyKey {
    /// An adapter that adds an `Idempotency-Key` field to requests that need one.
    public static var idempotencyKey: IdempotencyKey { IdempotencyKey() }
}
