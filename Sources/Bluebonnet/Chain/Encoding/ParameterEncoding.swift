public import FoundationNetworking

/// A type that puts ``Parameters`` into a request.
///
/// It is called once for each attempt, on any thread.
public protocol ParameterEncoding: Sendable {
    /// Returns the request with the parameters in it, or unchanged if they are nil.
    ///
    /// - Throws: Any error. The task fails with ``BluebonnetError/invalidRequest(_:_:)``, which
    ///   wraps it.
    func encode(
        _ urlRequest: any URLRequestConvertible, with parameters: Parameters?
    ) throws -> URLRequest
}
