public import Foundation
public import FoundationNetworking

/// A serializer that puts parameters into the query of the URL or, as a form, into the body.
///
/// ```swift
/// let serializer = HTTPRequestSerializer(headers: ["Accept-Language": "de"])
/// var request = URLRequest(url: url)
/// request = try serializer.serialize(request, parameters: ["page": 2, "tags": ["a", "b"]])
/// // …?page=2&tags%5B%5D=a&tags%5B%5D=b
/// ```
///
/// ``QueryEncoding`` determines how parameters are written.
public struct HTTPRequestSerializer: RequestSerializer {
    /// Header fields for every request that does not already have them; none by default.
    public var headers: HTTPHeaders

    /// The methods whose parameters go into the query; GET, HEAD and DELETE by default.
    ///
    /// The comparison ignores case.
    public var httpMethodsEncodingParametersInURI: Set<String> = ["GET", "HEAD", "DELETE"]

    /// How parameters are written.
    public var queryEncoding = QueryEncoding()

    /// A closure that writes parameters in place of ``queryEncoding``; nil by default.
    ///
    /// Its result is used as is, so it must already be escaped. An error that it throws fails the
    /// request. The closure is called only if there are parameters, and can run on any thread.
    public var queryString: (@Sendable (URLRequest, Parameters) throws -> String)?

    /// The encoding of text before it is escaped, and of a form; UTF-8 by default.
    ///
    /// It must include ASCII, as UTF-8, ISO 8859 and Shift JIS do. A character that it cannot
    /// encode is an error.
    public var stringEncoding = String.Encoding.utf8

    /// The idle timeout of every request, in seconds; nil, the default, keeps the request's own.
    ///
    /// It is the time without any data in either direction, and overrides
    /// ``SessionConfiguration/timeouts``. A value of 60 does not override them, because it is the
    /// default of every `URLRequest`.
    public var timeoutInterval: TimeInterval?

    /// Whether requests send and store cookies; nil, the default, keeps the request's own setting.
    public var httpShouldHandleCookies: Bool?

    /// The cache policy of every request; nil, the default, keeps the request's own.
    ///
    /// The library has no cache, so the policy only informs a custom transport.
    public var cachePolicy: URLRequest.CachePolicy?

    /// Creates a serializer, without header fields by default.
    ///
    /// - Parameter headers: Header fields for every request that does not already have them.
    public init(headers: HTTPHeaders = [:]) {
        self.headers = headers
    }

    /// Returns the request with `headers` and the parameters added.
    ///
    /// A query is appended to the existing query of the URL, before the fragment. A form replaces
    /// the body, and sets the Content-Type to `application/x-www-form-urlencoded` unless the
    /// request has one. Without parameters, a request that takes a form gets an empty one if it has
    /// neither body nor body stream, as in AFNetworking. Any other request keeps its URL and body.
    ///
    /// - Parameters:
    ///   - request: The request. Its own header fields are kept.
    ///   - parameters: The values of the query or the form; nil for none.
    /// - Returns: The request to send.
    /// - Throws: A ``RequestSerializationError`` that names the header field or the parameter that
    ///   cannot be sent. A parameter cannot be sent if it is of an unsupported type, is not finite,
    ///   or is nested in more than 128 arrays, sets and dictionaries. Errors that ``queryString``
    ///   throws are rethrown.
    public func serialize(_ request: URLRequest, parameters: Parameters?) throws -> URLRequest {
        var request = request
        try applySettings(to: &request)
        if encodesParametersInURI(of: request) {
            guard let parameters else { return request }
            return try adding(query: parameters, to: request)
        } else if let parameters {
            return try adding(form: parameters, to: request)
        } else if request.httpBody == nil, request.httpBodyStream == nil {
            request.setBody(Data(), contentType: Self.formType)
        }
        return request
    }

    /// Returns the request with parameters appended to the query of its URL.
    func adding(query parameters: Parameters, to request: URLRequest) throws -> URLRequest {
        var request = request
        try request.appendQuery(try query(of: parameters, for: request))
        return request
    }

    /// Returns the request with parameters as the form in its body.
    func adding(form parameters: Parameters, to request: URLRequest) throws -> URLRequest {
        var request = request
        let form = try query(of: parameters, for: request)
        request.setBody(try encoded(form), contentType: Self.formType)
        return request
    }

    private static let formType = "application/x-www-form-urlencoded"

    /// Applies the settings that do not depend on parameters.
    func applySettings(to request: inout URLRequest) throws(RequestSerializationError) {
        try request.addMissing(headers)
        if let timeoutInterval { request.timeoutInterval = timeoutInterval }
        if let httpShouldHandleCookies { request.httpShouldHandleCookies = httpShouldHandleCookies }
        if let cachePolicy { request.cachePolicy = cachePolicy }
    }

    /// Returns whether a request's parameters go into its URL.
    func encodesParametersInURI(of request: URLRequest) -> Bool {
        let method = (request.httpMethod ?? "GET").uppercased()
        return httpMethodsEncodingParametersInURI.contains { $0.uppercased() == method }
    }

    private func query(of parameters: Parameters, for request: URLRequest) throws -> String {
        guard stringEncoding == .utf8 || "a&%+".data(using: stringEncoding) == Data("a&%+".utf8)
        else {
            throw RequestSerializationError(
                reason: "the string encoding \(stringEncoding) does not contain ASCII; use UTF-8"
            )
        }
        if let queryString {
            if let fault = parameters.tree.fault() { throw fault }
            return try queryString(request, parameters)
        }
        return try queryEncoding.string(of: parameters, in: stringEncoding)
    }

    private func encoded(_ form: String) throws(RequestSerializationError) -> Data {
        guard let data = form.data(using: stringEncoding) else {
            throw RequestSerializationError(
                reason: "the form has a character that \(stringEncoding) cannot encode; use UTF-8"
            )
        }
        return data
    }
}
