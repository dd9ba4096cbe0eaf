public import Foundation
public import FoundationNetworking

extension RequestSerializer {
    /// Returns a new request with a method, a URL, `headers` and the parameters.
    ///
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
