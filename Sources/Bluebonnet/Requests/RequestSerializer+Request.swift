public import Foundation
public import FoundationNetworking

extension RequestSerializer {
    /// Makes a request of a method for a URL, with `headers` and the parameters in it.
    ///
    /// - Throws: whatever the serialization throws.
    public func request(
        _ method: HTTPMethod,
        _ url: URL,
        parameters: Parameters? = nil
    ) throws -> URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = method.rawValue
        return try serialize(request, parameters: parameters)
    }

    /// Makes a request of a method for a URL, with `headers` and the encoded parameters in it.
    ///
    /// - Throws: whatever the encoding or the serialization throws.
    @_disfavoredOverload
    public func request(
        _ method: HTTPMethod,
        _ url: URL,
        parameters: some Encodable & Sendable
    ) throws -> URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = method.rawValue
        return try serialize(request, parameters: parameters)
    }
}
