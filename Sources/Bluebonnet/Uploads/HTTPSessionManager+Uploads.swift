public import Foundation
import FoundationNetworking

/// What an upload sends: bytes, a file, what a stream or a sequence gives, or a form.
public struct RequestBody: Sendable {
    enum Content {
        case upload(UploadBody)
        case form(MultipartFormData, Parameters?)
    }

    let content: Content

    /// Bytes.
    public static func data(_ data: Data) -> Self { Self(content: .upload(.data(data))) }

    /// A regular file, which is read while it is sent, never whole.
    public static func file(_ url: URL) -> Self { Self(content: .upload(.file(url))) }

    /// What streams give.
    ///
    /// - Parameters:
    ///   - length: How many bytes will come; nil, when that is not known, sends them chunked.
    ///   - make: Makes the stream, and makes it again where the body must be sent once more: after a redirect,
    ///     an authentication or a lost connection. Called on a thread that may wait.
    /// - Returns: The body.
    public static func stream(length: Int64? = nil, _ make: @escaping BodyStreamFactory) -> Self {
        Self(content: .upload(.stream(length: length, make)))
    }

    /// The pieces of an asynchronous sequence, such as those of a ``ResponseStream``.
    ///
    /// The next piece is requested when the previous one is about to be sent, so a slow connection slows
    /// the sequence down. No thread waits for a piece. If the task ends early, the Swift task that iterates
    /// the sequence is cancelled. An error that the sequence throws fails the task with
    /// ``BluebonnetError/requestBody(_:_:)``.
    ///
    /// The sequence is iterated once. If the body must be sent again, for example after a redirect with 307,
    /// the task fails. To allow that, use ``sequence(length:_:)``.
    ///
    /// - Parameters:
    ///   - pieces: The bytes, in pieces of any size.
    ///   - length: How many bytes will come; nil, when that is not known, sends them chunked.
    /// - Returns: The body.
    public static func sequence<Pieces: AsyncSequence & Sendable>(
        _ pieces: Pieces, length: Int64? = nil
    ) -> Self where Pieces.Element == Data {
        Self(
            content: .upload(
                .pieces(UploadPieces(pieces, length: length))))
    }

    /// The pieces of asynchronous sequences, as ``sequence(_:length:)`` sends them.
    ///
    /// - Parameters:
    ///   - length: How many bytes will come; nil, when that is not known, sends them chunked.
    ///   - make: Makes the sequence, and makes it again where the body must be sent once more: after a
    ///     redirect, an authentication or a lost connection. Called on any thread; it must not
    ///     block.
    /// - Returns: The body.
    public static func sequence<Pieces: AsyncSequence & Sendable>(
        length: Int64? = nil, _ make: @escaping @Sendable () -> Pieces
    ) -> Self where Pieces.Element == Data {
        Self(content: .upload(.pieces(UploadPieces(length: length, make))))
    }

    /// A form, which is sent as `multipart/form-data`; parameters are its first fields, in the order and with
    /// the names of a query.
    ///
    /// Without any part it is no form: the request is that of the manager's serializer.
    public static func form(
        _ form: MultipartFormData, parameters: Parameters? = nil
    ) -> Self {
        Self(content: .form(form, parameters))
    }
}

// By path, with everything that the request serializer adds; of its content type only what the caller says.
extension HTTPSessionManager {
    /// Sends a body to a path.
    ///
    /// ```swift
    /// api.upload(.file(file), to: "photos/1", method: .put, headers: ["Content-Type": "image/jpeg"])
    /// ```
    ///
    /// The request has everything that ``requestSerializer`` adds. The other arguments are those of the
    /// verbs, such as `get`.
    ///
    /// - Returns: The task.
    @discardableResult
    public func upload(
        _ body: RequestBody,
        to path: String,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) -> UploadTask {
        start(body, path, method, headers, .manager, options, nil)
    }

    /// Sends a body to a path, and hands over the response, serialized by the manager's serializer or by
    /// another.
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

    /// Sends a body to a path, and hands over the response, decoded from JSON.
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

    /// Sends a body to a path and waits for the body of the response, of any content type.
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

    /// Sends a body to a path and waits for the response, decoded from JSON.
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
        _ completionHandler: (@Sendable (Response<Serializer.Value>) -> Void)?
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

    /// The request of an upload, and what is sent with it.
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
        }
    }

    /// The request that has a form for its body.
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
            // The caller's headers are set last, and a body cannot be read without its boundary.
            request.setMultipartFields()
            return request
        }
    }

    /// The request of an upload; the body that a serializer makes of no parameters, and the type of that, are
    /// not its own.
    private func uploadRequest(
        _ method: HTTPMethod, _ path: String, _ headers: HTTPHeaders?, _ options: TaskOptions?
    ) -> Result<URLRequest, BluebonnetError> {
        request(method, path, headers, options) { serializer, request in
            var sent = try serializer.serialize(request, parameters: nil)
            guard sent.httpBody != nil, request.httpBody == nil else { return sent }
            sent.httpBody = nil
            let type = "Content-Type"
            sent.setValue(
                request.value(forHTTPHeaderField: type) ?? serializer.headers[type],
                forHTTPHeaderField: type)
            return sent
        }
    }
}

extension Result<URLRequest, BluebonnetError> {
    /// The form that is sent with the request; nil where there is none.
    var form: UploadBody? { (try? get())?.multipartBody.map(UploadBody.multipart) }
}
