public import FoundationNetworking

/// Puts parameters that are `Encodable` into a request.
///
/// A conformance may run on any thread, once an attempt.
public protocol ParameterEncoder: Sendable {
    /// Returns the request with the parameters in it; nil leaves it as it is.
    ///
    /// - Throws: anything; the task fails with ``BluebonnetError/invalidRequest(_:_:)`` around it.
    func encode<Parameters: Encodable & Sendable>(
        _ parameters: Parameters?, into request: URLRequest
    ) throws -> URLRequest
}
