import BluebonnetTransport
public import Foundation
import FoundationNetworking

/// The body of an upload: bytes, a file, a stream, an asynchronous sequence or a form.
public struct RequestBody: Sendable {
    enum Content {
        case upload(UploadBody)
        case form(MultipartFormData, Parameters?)
        case urlEncodedForm(Parameters)
    }

    let content: Content

    /// A body of bytes.
    ///
    /// - Parameter data: The bytes. They are kept in memory until the task ends, so that the body
    ///   can be sent again.
    /// - Returns: The body.
    public static func data(_ data: Data) -> Self { Self(content: .upload(.data(data))) }

    /// A body from a regular file, which is read in pieces while it is sent.
    ///
    /// - Parameter url: A file URL. The size is read when the task starts, and the task fails if
    ///   the file changes while it is sent.
    /// - Returns: The body.
    public static func file(_ url: URL) -> Self { Self(content: .upload(.file(url))) }

    /// A body from a stream.
    ///
    /// - Parameters:
    ///   - length: The number of bytes, or nil if it is unknown. The body is then sent chunked.
    ///   - make: Creates the stream. Called again if the body must be resent, for example after a
    ///     redirect, a challenge or a lost connection. It may block its thread.
    /// - Returns: The body.
    public static func stream(length: Int64? = nil, _ make: @escaping BodyStreamFactory) -> Self {
        Self(content: .upload(.stream(length: length, make)))
    }

    /// A body from the pieces of an asynchronous sequence, such as a ``ResponseStream``.
    ///
    /// The next piece is requested when the previous one is about to be sent, so a slow connection
    /// slows the sequence down. No thread waits for a piece. If the task ends early, the Swift task
    /// that iterates the sequence is canceled. An error that the sequence throws fails the task
    /// with ``BluebonnetError/requestBody(_:_:)``.
    ///
    /// The sequence is iterated once. If the body must be resent, for example after a redirect with
    /// status 307, the task fails. To allow that, use ``sequence(length:_:)``.
    ///
    /// - Parameters:
    ///   - pieces: The bytes, in pieces of any size.
    ///   - length: The number of bytes, or nil if it is unknown. The body is then sent chunked.
    /// - Returns: The body.
    public static func sequence<Pieces: AsyncSequence & Sendable>(
        _ pieces: Pieces, length: Int64? = nil
    ) -> Self where Pieces.Element == Data {
        Self(
            content: .upload(
                .pieces(UploadPieces(pieces, length: length))))
    }

    /// A body from an asynchronous sequence that can be created again, sent as by
    /// ``sequence(_:length:)``.
    ///
    /// - Parameters:
    ///   - length: The number of bytes, or nil if it is unknown. The body is then sent chunked.
    ///   - make: Creates the sequence. Called again if the body must be resent, for example after a
    ///     redirect, a challenge or a lost connection. Called on any thread; it must not block.
    /// - Returns: The body.
    public static func sequence<Pieces: AsyncSequence & Sendable>(
        length: Int64? = nil, _ make: @escaping @Sendable () -> Pieces
    ) -> Self where Pieces.Element == Data {
        Self(content: .upload(.pieces(UploadPieces(length: length, make))))
    }

    /// A form that is sent as `multipart/form-data`.
    ///
    /// The parameters become its first fields, in the order and with the names of a query. If there
    /// are no parts, the request is the one that the manager's serializer creates without
    /// parameters.
    ///
    /// - Parameters:
    ///   - form: The parts, in their order in the body.
    ///   - parameters: Fields that come before the parts; nil for none.
    /// - Returns: The body.
    public static func form(
        _ form: MultipartFormData, parameters: Parameters? = nil
    ) -> Self {
        Self(content: .form(form, parameters))
    }

    /// Parameters that are sent as `application/x-www-form-urlencoded`, written with the manager's
    /// ``HTTPSessionManager/queryEncoding``.
    ///
    /// - Parameter parameters: The names and values, in order.
    /// - Returns: The body.
    public static func urlEncodedForm(_ parameters: Parameters) -> Self {
        Self(content: .urlEncodedForm(parameters))
    }
}

// Uploads to a path. They use the request serializer's settings, but not the content type that it
// derives from parameters.
extension HTTPSessionManager {
    /// Sends a body to a path and calls a handler with the serialized response.
    ///
    /// ```swift
    /// api.upload(
    ///     .file(file), to: "photos/1", method: .put, headers: ["Content-Type": "image/jpeg"]
    /// ) { response in
    ///     print(response)
    /// }
    /// ```
    ///
    /// The request has all settings of ``requestSerializer``. For every form, see <doc:VerbForms>.
    /// For the bodies, see <doc:Uploads>.
    ///
    /// - Parameters:
    ///   - body: The body: data, a file, a stream, a sequence or a form.
    ///   - path: A path below ``baseURL``, or a whole URL.
    ///   - method: The method. The default is POST.
    ///   - headers: Header fields that override those of ``requestSerializer``; nil for none. Set
    ///     `Content-Type` here: only forms have a default.
    ///   - serializer: The serializer that validates and serializes the response. The default is
    ///     the manager's ``SessionManager/responseSerializer``.
    ///   - options: Settings for this call alone, such as `.uploadProgress { … }`.
    ///   - completionHandler: Called exactly once on ``SessionManager/completionQueue``, whether
    ///     the task succeeds, fails or is canceled.
    /// - Returns: The running task.
    @discardableResult
    public func upload<Serializer: ResponseSerializer>(
        _ body: RequestBody,
        to path: String,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        serializer: Serializer = .manager,
        options: RequestOptions = [],
        completionHandler: @escaping @Sendable (Response<Serializer.Value>) -> Void
    ) -> UploadTask {
        start(body, path, method, headers, serializer, options, completionHandler)
    }

    /// Sends a body to a path and calls a handler with the response decoded from JSON.
    ///
    /// For every form, see <doc:VerbForms>. For the bodies, see <doc:Uploads>.
    ///
    /// - Parameters:
    ///   - body: The body: data, a file, a stream, a sequence or a form.
    ///   - path: A path below ``baseURL``, or a whole URL.
    ///   - method: The method. The default is POST.
    ///   - headers: Header fields that override those of ``requestSerializer``; nil for none. Set
    ///     `Content-Type` here: only forms have a default.
    ///   - type: The type to decode. Use an optional type if the response's body can be empty.
    ///   - options: Settings for this call alone, such as `.uploadProgress { … }`.
    ///   - completionHandler: Called exactly once on ``SessionManager/completionQueue``, whether
    ///     the task succeeds, fails or is canceled.
    /// - Returns: The running task.
    @discardableResult
    public func upload<Value: Decodable & Sendable>(
        _ body: RequestBody,
        to path: String,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        as type: Value.Type,
        options: RequestOptions = [],
        completionHandler: @escaping @Sendable (Response<Value>) -> Void
    ) -> UploadTask {
        start(body, path, method, headers, decoding(), options, completionHandler)
    }

    /// Sends a body to a path and returns the body of the response, which can have any content
    /// type.
    ///
    /// For every form, see <doc:VerbForms>. For the bodies, see <doc:Uploads>.
    ///
    /// - Parameters:
    ///   - body: The body: data, a file, a stream, a sequence or a form.
    ///   - path: A path below ``baseURL``, or a whole URL.
    ///   - method: The method. The default is POST.
    ///   - headers: Header fields that override those of ``requestSerializer``; nil for none. Set
    ///     `Content-Type` here: only forms have a default.
    ///   - options: Settings for this call alone, such as `.uploadProgress { … }`.
    /// - Returns: The body of the response. It is empty if the response has none.
    /// - Throws: The error that ended the task, for example ``BluebonnetError/file(_:_:)`` if the
    ///   file cannot be read. Canceling the Swift task cancels the request and throws
    ///   ``BluebonnetError/cancelled(_:)``.
    @discardableResult
    public func upload(
        _ body: RequestBody,
        to path: String,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> Data {
        try await value(body, path, method, headers, self.body, options)
    }

    /// Sends a body to a path and returns the response decoded from JSON.
    ///
    /// For every form, see <doc:VerbForms>. For the bodies, see <doc:Uploads>.
    ///
    /// - Parameters:
    ///   - body: The body: data, a file, a stream, a sequence or a form.
    ///   - path: A path below ``baseURL``, or a whole URL.
    ///   - method: The method. The default is POST.
    ///   - headers: Header fields that override those of ``requestSerializer``; nil for none. Set
    ///     `Content-Type` here: only forms have a default.
    ///   - type: The type to decode, which can be omitted if the result has a declared type. Use an
    ///     optional type if the response's body can be empty.
    ///   - options: Settings for this call alone, such as `.uploadProgress { … }`.
    /// - Returns: The decoded value.
    /// - Throws: The error that ended the task, for example ``BluebonnetError/file(_:_:)`` if the
    ///   file cannot be read. Canceling the Swift task cancels the request and throws
    ///   ``BluebonnetError/cancelled(_:)``.
    public func upload<Value: Decodable & Sendable>(
        _ body: RequestBody,
        to path: String,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        as type: Value.Type = Value.self,
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> Value {
        try await value(body, path, method, headers, decoding(), options)
    }

    private func start<Serializer: ResponseSerializer>(
        _ body: RequestBody,
        _ path: String,
        _ method: HTTPMethod,
        _ headers: HTTPHeaders?,
        _ serializer: Serializer,
        _ options: RequestOptions,
        _ completionHandler: @escaping @Sendable (Response<Serializer.Value>) -> Void
    ) -> UploadTask {
        let options = TaskOptions(options)
        let (request, content) = parts(body, path, method, headers, options)
        let task = uploadTask(
            request, content, serializer, options, completionHandler: completionHandler)
        task.resume()
        return task
    }

    private func value<Serializer: ResponseSerializer>(
        _ body: RequestBody,
        _ path: String,
        _ method: HTTPMethod,
        _ headers: HTTPHeaders?,
        _ serializer: Serializer,
        _ options: RequestOptions
    ) async throws(BluebonnetError) -> Serializer.Value {
        let options = TaskOptions(options)
        let (request, content) = parts(body, path, method, headers, options)
        return try await response(
            request, serializer: serializer, options: options, upload: content
        ).result.get()
    }

    /// Returns the request of an upload and the body to send with it.
    private func parts(
        _ body: RequestBody, _ path: String, _ method: HTTPMethod, _ headers: HTTPHeaders?,
        _ options: TaskOptions?
    ) -> (Result<URLRequest, BluebonnetError>, UploadBody?) {
        switch body.content {
        case .upload(let content): return (uploadRequest(method, path, headers, options), content)
        case .form(let form, let parameters):
            let request = formRequest(method, path, parameters, headers, options) {
                $0.append(form)
            }
            return (request, request.form)
        case .urlEncodedForm(let parameters):
            let request = uploadRequest(method, path, headers, options).flatMap { request in
                Result {
                    try requestSerializer.querySerializer.adding(form: parameters, to: request)
                }
                .mapError { .invalidRequest("\($0)", .init(request: request, underlying: $0)) }
            }
            return (request, nil)
        }
    }

    /// Returns a request with a form as its body.
    func formRequest(
        _ method: HTTPMethod,
        _ path: String,
        _ parameters: Parameters?,
        _ headers: HTTPHeaders?,
        _ options: TaskOptions?,
        _ constructingBody: (inout MultipartFormData) throws -> Void
    ) -> Result<URLRequest, BluebonnetError> {
        request(method, path, headers, options) { serializer, request in
            try serializer.multipartFormRequest(
                request, parameters: parameters, constructingBody: constructingBody
            )
        }.map { request in
            var request = request
            // Set again, because the caller's headers come last and the body is unreadable without
            // its boundary.
            request.setMultipartFields()
            return request
        }
    }

    /// Returns the request of an upload.
    ///
    /// Some serializers encode missing parameters as a body. That body and its content type are
    /// removed.
    private func uploadRequest(
        _ method: HTTPMethod, _ path: String, _ headers: HTTPHeaders?, _ options: TaskOptions?
    ) -> Result<URLRequest, BluebonnetError> {
        request(method, path, headers, options) { serializer, request in
            var sent = try serializer.serialize(request, parameters: nil)
            guard sent.httpBody != nil, request.httpBody == nil else { return sent }
            sent.httpBody = nil
            let type = "Content-Type"
            let own = (request.headers.fields + serializer.headers.fields).first {
                $0.name.caseInsensitiveEquals(type)
            }
            sent.setField(own?.name ?? type, to: own?.value)
            return sent
        }
    }
}

extension Result<URLRequest, BluebonnetError> {
    /// The form that is sent with the request; nil if it has none.
    var form: UploadBody? { (try? get())?.multipartBody.map(UploadBody.multipart) }
}
