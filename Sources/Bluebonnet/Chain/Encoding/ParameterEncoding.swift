public import FoundationNetworking

/// Puts ``Parameters`` into a request.
///
/// A conformance may run on any thread, once an attempt.
public protocol ParameterEncoding: Sendable {
    /// Returns the request with the parameters in it; nil leaves it as it is.
    ///
    /// - Throws: anything; the task fails with ``BluebonnetError/invalidRequest(_:_:)`` around it.
    func encode(
        _ urlRequest: any URLRequestConvertible, with parameters: Parameters?
    ) throws -> URLRequest
}
