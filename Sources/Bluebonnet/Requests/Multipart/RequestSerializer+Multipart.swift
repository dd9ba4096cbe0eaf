public import Foundation
public import FoundationNetworking

extension RequestSerializer {
    /// Makes a request with a `multipart/form-data` body, and with `headers`.
    ///
    /// - Parameters:
    ///   - method: Any method but GET and HEAD.
    ///   - url: Where it goes.
    ///   - parameters: Fields that come first, in the order and with the names of a query; for a
    ///     serializer of the library its `queryEncoding` counts.
    ///   - constructingBody: Appends the other parts; called before this returns, once, or not at
    ///     all where the method or the parameters are an error already.
    /// - Returns: The request, as ``multipartFormRequest(_:parameters:constructingBody:)`` says.
    /// - Throws: What `constructingBody` throws, and a ``RequestSerializationError`` for a parameter,
    ///   a header field or a method that cannot be sent.
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

    /// Gives a request a `multipart/form-data` body, and `headers`.
    ///
    /// The body is the request's `httpBodyStream`. Every way of sending a request takes it, and
    /// sends it again where it must. `Content-Type` and `Content-Length` are those of the body,
    /// whatever the request and `headers` say. Without any part the request is as
    /// ``serialize(_:parameters:)`` makes it of no parameters.
    ///
    /// - Parameters:
    ///   - request: A request of any method but GET and HEAD.
    ///   - parameters: Fields that come first, in the order and with the names of a query.
    ///   - constructingBody: Appends the other parts; called before this returns, once, or not at
    ///     all where the method or the parameters are an error already.
    /// - Returns: The request with its body.
    /// - Throws: What `constructingBody` throws, and a ``RequestSerializationError`` for a parameter,
    ///   a header field or a method that cannot be sent.
    public func multipartFormRequest(
        _ request: URLRequest,
        parameters: Parameters? = nil,
        constructingBody: (inout MultipartFormData) throws -> Void
    ) throws -> URLRequest {
        let method = (request.httpMethod ?? "GET").uppercased()
        guard method != "GET", method != "HEAD" else {
            throw RequestSerializationError(
                reason: "\(method) has no body that a form could go into; send POST, PUT or PATCH"
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

    /// Writes the body of a multipart request to a file, to send it from there.
    ///
    /// Servers that take no body as long as it is read can be sent the file, or another process.
    /// The calling thread does not wait for the disk.
    ///
    /// - Parameters:
    ///   - request: What ``multipartFormRequest(_:parameters:constructingBody:)`` has made.
    ///   - file: Where the body goes; complete, or not at all.
    ///   - options: How the file gets there; none by default.
    /// - Returns: The request without its body, to upload the file with.
    /// - Throws: A ``MultipartFailure`` for what could not be read, a ``FileFailure`` for what could
    ///   not be written, a ``RequestSerializationError`` for a request without a multipart body.
    public func request(
        withMultipartFormRequest request: URLRequest,
        writingBodyTo file: URL,
        options: DownloadOptions = []
    ) async throws -> URLRequest {
        guard let body = request.multipartBody else {
            throw RequestSerializationError(
                reason: "the request has no multipart body; make it with multipartFormRequest"
            )
        }
        try await body.write(to: file, options)
        var request = request
        request.httpBodyStream = nil
        return request
    }
}

extension URLRequest {
    /// The body that a serializer has given it; nil for any other body.
    var multipartBody: MultipartBody? { (httpBodyStream as? MultipartBodyStream)?.body }

    /// Sets the fields that belong to a multipart body, if there is one.
    mutating func setMultipartFields() {
        guard let body = multipartBody else { return }
        setValue(body.contentType, forHTTPHeaderField: "Content-Type")
        setValue("\(body.length)", forHTTPHeaderField: "Content-Length")
    }
}
