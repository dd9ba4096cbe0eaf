public import Bluebonnet

/// A type that puts `Encodable` parameters into a request.
///
/// It is called once for each attempt, on any thread, unless the call has no parameters.
public protocol ParameterEncoder: Sendable {
    /// Returns the request with the parameters in it, or unchanged if they are nil.
    ///
    /// - Throws: Any error. The task fails with
    ///   ``/Bluebonnet/BluebonnetError/invalidRequest(_:_:)``, which wraps it.
    func encode<Parameters: Encodable & Sendable>(
        _ parameters: Parameters?, into request: URLRequest
    ) throws -> URLRequest
}
