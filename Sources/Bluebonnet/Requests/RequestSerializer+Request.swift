public import Foundation
public import FoundationNetworking

extension RequestSerializer {
    /// Returns a new request with a method, a URL, `headers` and the parameters.
    ///
    /// - Parameters:
    ///   - method: The method, which decides whether parameters go into the query or the body.
    ///   - url: The absolute URL.
    ///   - parameters: The values of the query or the body; nil, the default, for none.
    /// - Returns: The request, to which more fields can be added.
    /// - Throws: An error from the serialization.
    public func request(
        _ method: HTTPMethod,
        _ url: URL,
        parameters: Parameters? = nil
    ) throws -> URLRequest {
        try serialize(URLRequest(method, url), parameters: parameters)
    }

    /// Returns a new request with a method, a URL, `headers` and the encoded parameters.
    ///
    /// - Parameters:
    ///   - method: The method, which decides whether parameters go into the query or the body.
    ///   - url: The absolute URL.
    ///   - parameters: The value to encode, such as a struct or a dictionary.
    /// - Returns: The request, to which more fields can be added.
    /// - Throws: An error from the parameters' encoding or from the serialization.
    @_disfavoredOverload
    public func request(
        _ method: HTTPMethod,
        _ url: URL,
        parameters: some Encodable & Sendable
    ) throws -> URLRequest {
        try serialize(URLRequest(method, url), parameters: parameters)
    }
}
