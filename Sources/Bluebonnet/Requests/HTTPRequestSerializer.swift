public import Foundation
public import FoundationNetworking

/// Puts parameters into the query of the URL or, as a form, into the body.
///
/// ```swift
/// let serializer = HTTPRequestSerializer(headers: ["Accept-Language": "de"])
/// var request = URLRequest(url: url)
/// request = try serializer.serialize(request, parameters: ["page": 2, "tags": ["a", "b"]])
/// // …?page=2&tags%5B%5D=a&tags%5B%5D=b
/// ```
///
/// ``QueryEncoding`` says how they are written.
public struct HTTPRequestSerializer: RequestSerializer {
    /// Header fields for every request that it makes, unless it has them already; none by default.
    public var headers: HTTPHeaders

    /// The methods that put parameters into the query; GET, HEAD and DELETE by default.
    ///
    /// They are compared without regard to case.
    public var httpMethodsEncodingParametersInURI: Set<String> = ["GET", "HEAD", "DELETE"]

    /// How parameters are written.
    public var queryEncoding = QueryEncoding()

    /// Writes parameters instead of ``queryEncoding``, if set; nil by default.
    ///
    /// What it returns is taken as it is: it must be escaped already. What it throws fails the
    /// request. It is not called without parameters, and may run on any thread.
    public var queryString: (@Sendable (URLRequest, Parameters) throws -> String)?

    /// The encoding of text before it is escaped, and of a form; UTF-8 by default.
    ///
    /// It must contain ASCII, as UTF-8, ISO 8859 and Shift JIS do. A character that it does not know
    /// is an error.
    public var stringEncoding = String.Encoding.utf8

    /// Seconds without any data in either direction, for every request; nil, the default, leaves
    /// what the request has.
    ///
    /// It beats ``SessionConfiguration/timeouts``, except for 60, which every `URLRequest` has unless
    /// told otherwise.
    public var timeoutInterval: TimeInterval?

    /// Whether cookies are sent and kept, for every request; nil, the default, leaves what the
    /// request has.
    public var httpShouldHandleCookies: Bool?

    /// The cache policy of every request; nil, the default, leaves what the request has.
    ///
    /// There is no cache, so it tells only a transport of your own.
    public var cachePolicy: URLRequest.CachePolicy?

    /// Makes a serializer; without headers by default.
    public init(headers: HTTPHeaders = [:]) {
        self.headers = headers
    }

    /// Returns the request with `headers` and the parameters in it.
    ///
    /// A query is appended to the one of the URL, before the fragment. A form replaces the body
    /// and sets the Content-Type `application/x-www-form-urlencoded` unless there is one. Without
    /// parameters a request with neither body nor body stream gets an empty form, as in
    /// AFNetworking; any other keeps what it has.
    ///
    /// - Throws: A ``RequestSerializationError`` that names the parameter which is of no supported
    ///   type, is not finite, or lies more than 128 arrays, sets and dictionaries deep; or the
    ///   header field that cannot be sent. Whatever ``queryString`` throws.
    public func serialize(_ request: URLRequest, parameters: Parameters?) throws -> URLRequest {
        var request = request
        try applySettings(to: &request)
        if encodesParametersInURI(of: request) {
            guard let parameters else { return request }
            try request.appendQuery(try query(of: parameters, for: request))
        } else if let parameters {
            let form = try query(of: parameters, for: request)
            request.setBody(try encoded(form), contentType: Self.formType)
        } else if request.httpBody == nil, request.httpBodyStream == nil {
            request.setBody(Data(), contentType: Self.formType)
        }
        return request
    }

    private static let formType = "application/x-www-form-urlencoded"

    /// Applies what does not depend on parameters.
    func applySettings(to request: inout URLRequest) throws(RequestSerializationError) {
        try request.addMissing(headers)
        if let timeoutInterval { request.timeoutInterval = timeoutInterval }
        if let httpShouldHandleCookies { request.httpShouldHandleCookies = httpShouldHandleCookies }
        if let cachePolicy { request.cachePolicy = cachePolicy }
    }

    /// Whether the parameters of a request go into its URL.
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
                reason: "the form has a character that \(stringEncoding) does not know"
            )
        }
        return data
    }
}
