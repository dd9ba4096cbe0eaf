import Foundation
public import FoundationNetworking

/// What a request can be made of, such as the cases of a router.
///
/// A conformance may be asked on any thread, once an attempt.
public protocol URLRequestConvertible: Sendable {
    /// The request; a relative URL is resolved against the ``HTTPSessionManager/baseURL`` of its manager.
    ///
    /// - Throws: anything; the task fails with ``BluebonnetError/invalidRequest(_:_:)`` around it.
    func asURLRequest() throws -> URLRequest
}

extension URLRequestConvertible {
    /// The request; nil where it cannot be made.
    public var urlRequest: URLRequest? { try? asURLRequest() }
}

extension URLRequest: URLRequestConvertible {
    /// The request itself.
    public func asURLRequest() throws -> URLRequest { self }
}

extension URLRequest {
    /// Makes a request of a URL, a method and header fields.
    ///
    /// - Throws: What the conversion of the URL throws, or a ``RequestSerializationError`` for a field that
    ///   cannot be sent.
    public init(
        url: any URLConvertible, method: HTTPMethod, headers: HTTPHeaders? = nil
    ) throws {
        self.init(url: try url.asURL())
        httpMethod = method.rawValue
        if let headers { try replaceFields(with: headers) }
    }

    /// The method; nil makes it `GET`.
    public var method: HTTPMethod? {
        get { httpMethod.map(HTTPMethod.init(rawValue:)) }
        set { httpMethod = newValue?.rawValue }
    }

    /// The header fields in the order of their names, each name once.
    ///
    /// Setting replaces all of them; values of one name are joined by commas (RFC 9110 section 5.3).
    public var headers: HTTPHeaders {
        get { HTTPHeaders(allHTTPHeaderFields ?? [:]) }
        set {
            let (former, next) = (allHTTPHeaderFields ?? [:], newValue.dictionary)
            for name in former.keys where next[name] == nil {
                setValue(nil, forHTTPHeaderField: name)
            }
            for (name, value) in next where former[name] != value {
                setValue(value, forHTTPHeaderField: name)
            }
        }
    }
}

extension HTTPURLResponse {
    /// The header fields in the order of their names.
    public var headers: HTTPHeaders {
        let fields = allHeaderFields.compactMap { name, value in
            (name as? String).map { HTTPHeader(name: $0, value: "\(value)") }
        }
        return HTTPHeaders(fields.sorted { $0.name < $1.name })
    }
}
