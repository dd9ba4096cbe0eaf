public import Foundation

// The forms of the verbs that took a dictionary with values of several types.
//
// Those that return a decoded value are separate: for a result of another type than `Data`, the
// compiler would report the type instead of the message.

@available(
    *, unavailable,
    message: "pass Parameters(dictionary), or Parameters(untyped: dictionary) for [String: Any]"
)
extension HTTPSessionManager {
    /// The former form of `get` with a dictionary.
    @_disfavoredOverload
    @discardableResult
    public func get(
        _ path: String, parameters: [String: Any]?, headers: HTTPHeaders? = nil,
        as type: Any.Type? = nil, options: RequestOptions = [],
        completionHandler: ((Response<any Sendable>) -> Void)? = nil
    ) -> Data { Data() }

    /// The former form of `get` with a dictionary, for a decoded value.
    @_disfavoredOverload
    public func get<Value: Decodable & Sendable>(
        _ path: String, parameters: [String: Any]?, headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> Value { throw .cancelled(.init()) }

    /// The former form of `head` with a dictionary.
    @_disfavoredOverload
    @discardableResult
    public func head(
        _ path: String, parameters: [String: Any]?, headers: HTTPHeaders? = nil,
        options: RequestOptions = [],
        completionHandler: ((Response<any Sendable>) -> Void)? = nil
    ) -> Data { Data() }

    /// The former form of `post` with a dictionary.
    @_disfavoredOverload
    @discardableResult
    public func post(
        _ path: String, parameters: [String: Any]?, headers: HTTPHeaders? = nil,
        as type: Any.Type? = nil, options: RequestOptions = [],
        completionHandler: ((Response<any Sendable>) -> Void)? = nil
    ) -> Data { Data() }

    /// The former form of `post` with a dictionary, for a decoded value.
    @_disfavoredOverload
    public func post<Value: Decodable & Sendable>(
        _ path: String, parameters: [String: Any]?, headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> Value { throw .cancelled(.init()) }

    /// The former form of `put` with a dictionary.
    @_disfavoredOverload
    @discardableResult
    public func put(
        _ path: String, parameters: [String: Any]?, headers: HTTPHeaders? = nil,
        as type: Any.Type? = nil, options: RequestOptions = [],
        completionHandler: ((Response<any Sendable>) -> Void)? = nil
    ) -> Data { Data() }

    /// The former form of `put` with a dictionary, for a decoded value.
    @_disfavoredOverload
    public func put<Value: Decodable & Sendable>(
        _ path: String, parameters: [String: Any]?, headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> Value { throw .cancelled(.init()) }

    /// The former form of `patch` with a dictionary.
    @_disfavoredOverload
    @discardableResult
    public func patch(
        _ path: String, parameters: [String: Any]?, headers: HTTPHeaders? = nil,
        as type: Any.Type? = nil, options: RequestOptions = [],
        completionHandler: ((Response<any Sendable>) -> Void)? = nil
    ) -> Data { Data() }

    /// The former form of `patch` with a dictionary, for a decoded value.
    @_disfavoredOverload
    public func patch<Value: Decodable & Sendable>(
        _ path: String, parameters: [String: Any]?, headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> Value { throw .cancelled(.init()) }

    /// The former form of `delete` with a dictionary.
    @_disfavoredOverload
    @discardableResult
    public func delete(
        _ path: String, parameters: [String: Any]?, headers: HTTPHeaders? = nil,
        as type: Any.Type? = nil, options: RequestOptions = [],
        completionHandler: ((Response<any Sendable>) -> Void)? = nil
    ) -> Data { Data() }

    /// The former form of `delete` with a dictionary, for a decoded value.
    @_disfavoredOverload
    public func delete<Value: Decodable & Sendable>(
        _ path: String, parameters: [String: Any]?, headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> Value { throw .cancelled(.init()) }
}
