public import Foundation
public import FoundationNetworking

extension RequestSerializer {
    /// Returns a new request with `headers` and a `multipart/form-data` body.
    ///
    /// - Parameters:
    ///   - method: Any method except GET and HEAD.
    ///   - url: The URL of the request.
    ///   - parameters: Fields that come first, in the order and with the names of a query. The
    ///     library's serializers apply their `queryEncoding`.
    ///   - constructingBody: Appends the other parts. It is called once before the call returns, or
    ///     not at all if the method or the parameters are invalid.
    /// - Returns: The request, as described for
    ///   ``multipartFormRequest(_:parameters:constructingBody:)``.
    /// - Throws: An error from `constructingBody`, a ``RequestSerializationError`` for a parameter,
    ///   a header field or a method that cannot be sent, or a ``MultipartFailure`` for a part that
    ///   cannot be sent.
    public func multipartFormRequest(
        method: HTTPMethod = .post,
        url: URL,
        parameters: Parameters? = nil,
        constructingBody: (inout MultipartFormData) throws -> Void
    ) throws -> URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = method.rawValue
        return try multipartFormRequest(
            request, parameters: parameters, constructingBody: constructingBody
        )
    }

    /// Returns a request with `headers` and a `multipart/form-data` body added.
    ///
    /// The body is the `httpBodyStream` of the request. All ways to send a request accept it, and
    /// send it again if necessary. The `Content-Type` and `Content-Length` of the body replace
    /// those of the request and of `headers`. If there are no parts, the result is that of
    /// ``serialize(_:parameters:)`` without parameters.
    ///
    /// - Parameters:
    ///   - request: A request with any method except GET and HEAD.
    ///   - parameters: Fields that come first, in the order and with the names of a query.
    ///   - constructingBody: Appends the other parts. It is called once before the call returns, or
    ///     not at all if the method or the parameters are invalid.
    /// - Returns: The request with its body.
    /// - Throws: An error from `constructingBody`, a ``RequestSerializationError`` for a parameter,
    ///   a header field or a method that cannot be sent, or a ``MultipartFailure`` for a part that
    ///   cannot be sent.
    public func multipartFormRequest(
        _ request: URLRequest,
        parameters: Parameters? = nil,
        constructingBody: (inout MultipartFormData) throws -> Void
    ) throws -> URLRequest {
        let method = (request.httpMethod ?? "GET").uppercased()
        guard method != "GET", method != "HEAD" else {
            throw RequestSerializationError(
                reason: "a \(method) request cannot carry a form; send POST, PUT or PATCH"
            )
        }
        var form = MultipartFormData()
        if let parameters {
            try form.appendParts(parameters: parameters, encoding: querySerializer.queryEncoding)
        }
        try constructingBody(&form)
        var request = try serialize(request, parameters: nil)
        guard !form.parts.isEmpty else { return request }
        request.httpBodyStream = MultipartBodyStream(try MultipartBody(form))
        request.setMultipartFields()
        return request
    }

    /// Writes the body of a multipart request to a file, from which it can be sent.
    ///
    /// Use it for servers that do not accept a body while it is still being read, or to let another
    /// process send the body. The calling thread does not wait for the disk.
    ///
    /// - Parameters:
    ///   - request: A request from ``multipartFormRequest(_:parameters:constructingBody:)``.
    ///   - file: The destination, where the body appears complete or not at all.
    ///   - options: How the file is written to its destination; none by default.
    /// - Returns: The request without its body, for an upload of the file.
    /// - Throws: A ``MultipartFailure`` if a part cannot be read, a ``FileFailure`` if the file
    ///   cannot be written, a ``RequestSerializationError`` for a request without a multipart body,
    ///   or a `CancellationError` if the Swift task is canceled.
    public func request(
        withMultipartFormRequest request: URLRequest,
        writingBodyTo file: URL,
        options: DownloadOptions = []
    ) async throws -> URLRequest {
        guard let body = request.multipartBody else {
            throw RequestSerializationError(
                reason: "the request has no multipart body; create it with multipartFormRequest"
            )
        }
        try await body.write(to: file, options)
        var request = request
        request.httpBodyStream = nil
        return request
    }
}

extension URLRequest {
    /// The body that a serializer added to the request; nil for any other body.
    var multipartBody: MultipartBody? { (httpBodyStream as? MultipartBodyStream)?.body }

    /// Sets the header fields of the multipart body, if there is one.
    package mutating func setMultipartFields() {
        guard let body = multipartBody else { return }
        setField("Content-Type", to: body.contentType)
        setField("Content-Length", to: "\(body.length)")
    }
}
