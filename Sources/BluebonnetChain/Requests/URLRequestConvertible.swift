public import Bluebonnet

/// A type that can be converted to a request, such as the cases of a router.
///
/// The conversion is called once for each attempt, on any thread.
public protocol URLRequestConvertible: Sendable {
    /// Returns the request.
    ///
    /// A relative URL is resolved against the manager's ``/Bluebonnet/HTTPSessionManager/baseURL``.
    ///
    /// - Throws: Any error. The task fails with
    ///   ``/Bluebonnet/BluebonnetError/invalidRequest(_:_:)``, which wraps it.
    func asURLRequest() throws -> URLRequest
}

extension URLRequestConvertible {
    /// The request; nil if the conversion throws.
    public var urlRequest: URLRequest? { try? asURLRequest() }
}

extension URLRequest: URLRequestConvertible {
    /// Returns the request itself.
    public func asURLRequest() throws -> URLRequest { self }
}

extension URLRequest {
    /// Creates a request from a URL, a method and header fields.
    ///
    /// - Throws: Any error of the URL conversion, or a ``/Bluebonnet/RequestSerializationError``
    ///   for a header field that cannot be sent.
    public init(
        url: any URLConvertible, method: HTTPMethod, headers: HTTPHeaders? = nil
    ) throws {
        self.init(url: try url.asURL())
        httpMethod = method.rawValue
        if let headers { try replaceFields(with: headers) }
    }

    /// The method; setting nil resets it to `GET`.
    public var method: HTTPMethod? {
        get { httpMethod.map(HTTPMethod.init(rawValue:)) }
        set { httpMethod = newValue?.rawValue }
    }
}

extension HTTPURLResponse {
    /// The header fields, sorted by name.
    public var headers: HTTPHeaders {
        let fields = allHeaderFields.compactMap { name, value in
            (name as? String).map { HTTPHeader(name: $0, value: "\(value)") }
        }
        return HTTPHeaders(fields.sorted { $0.name < $1.name })
    }
}
