public import Bluebonnet

extension HTTPSessionManager {
    /// Creates an upload of bytes that starts when its first handler is added.
    ///
    /// - Parameters:
    ///   - data: The body.
    ///   - convertible: The URL; a relative URL is resolved against
    ///     ``/Bluebonnet/HTTPSessionManager/baseURL``.
    ///   - method: The method. The default is POST.
    ///   - headers: The header fields.
    ///   - interceptor: Adapts and retries the request, after the manager's interceptors.
    ///   - shouldAutomaticallyResume: Whether the first handler resumes the request; nil uses
    ///     ``startRequestsImmediately``.
    ///   - fileManager: Has no effect.
    ///   - requestModifier: Changes the request of each attempt.
    /// - Returns: The request.
    public func upload(
        _ data: Data,
        to convertible: any URLConvertible,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        fileManager: FileManager = .default,
        requestModifier: RequestModifier? = nil
    ) -> UploadRequest {
        uploadRequest(
            .data(data), source(convertible, method, headers, requestModifier), interceptor,
            shouldAutomaticallyResume)
    }

    /// Creates an upload of bytes, with a request from a convertible value.
    ///
    /// - Parameters:
    ///   - data: The body, which replaces the request's own.
    ///   - convertible: Creates the request of each attempt.
    ///   - interceptor: Adapts and retries the request, after the manager's interceptors.
    ///   - shouldAutomaticallyResume: Whether the first handler resumes the request; nil uses
    ///     ``startRequestsImmediately``.
    ///   - fileManager: Has no effect.
    /// - Returns: The request.
    public func upload(
        _ data: Data,
        with convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        fileManager: FileManager = .default
    ) -> UploadRequest {
        uploadRequest(
            .data(data), RequestSource(convertible, relativeTo: baseURL), interceptor,
            shouldAutomaticallyResume)
    }

    /// Creates an upload of a file, which is read while it is sent, and again for each attempt.
    ///
    /// - Parameters:
    ///   - fileURL: A regular file.
    ///   - convertible: The URL; a relative URL is resolved against
    ///     ``/Bluebonnet/HTTPSessionManager/baseURL``.
    ///   - method: The method. The default is POST.
    ///   - headers: The header fields.
    ///   - interceptor: Adapts and retries the request, after the manager's interceptors.
    ///   - shouldAutomaticallyResume: Whether the first handler resumes the request; nil uses
    ///     ``startRequestsImmediately``.
    ///   - fileManager: Has no effect.
    ///   - requestModifier: Changes the request of each attempt.
    /// - Returns: The request.
    public func upload(
        _ fileURL: URL,
        to convertible: any URLConvertible,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        fileManager: FileManager = .default,
        requestModifier: RequestModifier? = nil
    ) -> UploadRequest {
        uploadRequest(
            .file(fileURL), source(convertible, method, headers, requestModifier), interceptor,
            shouldAutomaticallyResume)
    }

    /// Creates an upload of a file, with a request from a convertible value.
    ///
    /// - Parameters:
    ///   - fileURL: A regular file.
    ///   - convertible: Creates the request of each attempt.
    ///   - interceptor: Adapts and retries the request, after the manager's interceptors.
    ///   - shouldAutomaticallyResume: Whether the first handler resumes the request; nil uses
    ///     ``startRequestsImmediately``.
    ///   - fileManager: Has no effect.
    /// - Returns: The request.
    public func upload(
        _ fileURL: URL,
        with convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        fileManager: FileManager = .default
    ) -> UploadRequest {
        uploadRequest(
            .file(fileURL), RequestSource(convertible, relativeTo: baseURL), interceptor,
            shouldAutomaticallyResume)
    }

    /// Creates an upload of a stream, which is created again for each attempt.
    ///
    /// - Parameters:
    ///   - stream: Creates a stream of the whole body. It may block its thread.
    ///   - convertible: The URL; a relative URL is resolved against
    ///     ``/Bluebonnet/HTTPSessionManager/baseURL``.
    ///   - method: The method. The default is POST.
    ///   - headers: The header fields. Without a `Content-Length`, the body is sent chunked.
    ///   - interceptor: Adapts and retries the request, after the manager's interceptors.
    ///   - shouldAutomaticallyResume: Whether the first handler resumes the request; nil uses
    ///     ``startRequestsImmediately``.
    ///   - fileManager: Has no effect.
    ///   - requestModifier: Changes the request of each attempt.
    /// - Returns: The request.
    public func upload(
        _ stream: @escaping BodyStreamFactory,
        to convertible: any URLConvertible,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        fileManager: FileManager = .default,
        requestModifier: RequestModifier? = nil
    ) -> UploadRequest {
        let length = headers?["Content-Length"].flatMap { Int64($0) }
        return uploadRequest(
            .stream(length: length, stream),
            source(convertible, method, headers, requestModifier), interceptor,
            shouldAutomaticallyResume)
    }

    /// Creates an upload of a stream, with a request from a convertible value.
    ///
    /// - Parameters:
    ///   - stream: Creates a stream of the whole body. It may block its thread. The body is sent
    ///     chunked.
    ///   - convertible: Creates the request of each attempt.
    ///   - interceptor: Adapts and retries the request, after the manager's interceptors.
    ///   - shouldAutomaticallyResume: Whether the first handler resumes the request; nil uses
    ///     ``startRequestsImmediately``.
    ///   - fileManager: Has no effect.
    /// - Returns: The request.
    public func upload(
        _ stream: @escaping BodyStreamFactory,
        with convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        fileManager: FileManager = .default
    ) -> UploadRequest {
        uploadRequest(
            .stream(length: nil, stream), RequestSource(convertible, relativeTo: baseURL),
            interceptor, shouldAutomaticallyResume)
    }

    /// Creates an upload of a stream that can be read only once.
    ///
    /// The request fails if the body must be sent again.
    ///
    /// - Parameters:
    ///   - stream: The stream, which is not open yet.
    ///   - convertible: The URL; a relative URL is resolved against
    ///     ``/Bluebonnet/HTTPSessionManager/baseURL``.
    ///   - method: The method. The default is POST.
    ///   - headers: The header fields; nil, the default, for none.
    ///   - interceptor: Adapts and retries the request, after the manager's interceptors; nil for
    ///     none.
    ///   - shouldAutomaticallyResume: Whether the first handler resumes the request; nil uses
    ///     ``startRequestsImmediately``.
    ///   - fileManager: Has no effect.
    ///   - requestModifier: Changes the request of each attempt; nil for none.
    /// - Returns: The request.
    @available(*, deprecated, message: "pass a closure that creates the stream: { InputStream(…) }")
    public func upload(
        _ stream: InputStream,
        to convertible: any URLConvertible,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        fileManager: FileManager = .default,
        requestModifier: RequestModifier? = nil
    ) -> UploadRequest {
        let request = ChainRequest(
            url: convertible, method: method, headers: headers, modifier: requestModifier)
        let body = OnceReadStream(stream)
        return uploadRequest(
            nil, request.source(relativeTo: baseURL) { body.attached(to: $0) }, interceptor,
            shouldAutomaticallyResume)
    }

    // MARK: The primitives

    func source(
        _ convertible: any URLConvertible, _ method: HTTPMethod, _ headers: HTTPHeaders?,
        _ modifier: RequestModifier?
    ) -> RequestSource {
        ChainRequest(url: convertible, method: method, headers: headers, modifier: modifier)
            .source(relativeTo: baseURL)
    }

    func uploadRequest(
        _ body: UploadBody?, _ source: RequestSource, _ interceptor: (any RequestInterceptor)?,
        _ resumesAutomatically: Bool?
    ) -> UploadRequest { makeRequest(source, interceptor, resumesAutomatically, upload: body) }
}

/// A stream that the caller provides.
// Unchecked Sendable: it is only passed to the one reader of a body that is not replayable.
private final class OnceReadStream: @unchecked Sendable {
    private let stream: InputStream

    init(_ stream: InputStream) {
        self.stream = stream
    }

    func attached(to request: URLRequest) -> URLRequest {
        var request = request
        request.httpBodyStream = stream
        return request
    }
}
