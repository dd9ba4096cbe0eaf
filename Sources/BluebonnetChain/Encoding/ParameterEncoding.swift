public import Bluebonnet

/// A type that puts ``/Bluebonnet/Parameters`` into a request.
///
/// It is called once for each attempt, on any thread, even if the call has no parameters.
public protocol ParameterEncoding: Sendable {
    /// Returns the request with the parameters in it.
    ///
    /// The encodings of the library return the request unchanged if the parameters are nil.
    ///
    /// - Throws: Any error. The task fails with
    ///   ``/Bluebonnet/BluebonnetError/invalidRequest(_:_:)``, which wraps it.
    func encode(
        _ urlRequest: any URLRequestConvertible, with parameters: Parameters?
    ) throws -> URLRequest
}
