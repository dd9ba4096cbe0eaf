public import Foundation
import FoundationNetworking

extension HTTPSessionManager {
    /// Makes an upload of bytes that is begun when it has its first handler.
    ///
    /// - Parameters:
    ///   - data: The body.
    ///   - convertible: The URL; a relative one is below ``baseURL``.
    ///   - method: The method; default POST.
    ///   - headers: Header fields.
    ///   - interceptor: Adapts and retries the request, behind those of the manager.
    ///   - shouldAutomaticallyResume: Whether the first handler resumes it; nil for
    ///     ``startRequestsImmediately``.
    ///   - requestModifier: Changes the request of each attempt.
    /// - Returns: The request.
    public func upload(
        _ data: Data,
        to convertible: any URLConvertible,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        requestModifier: RequestModifier? = nil
    ) -> UploadRequest {
        uploadRequest(
            .data(data), source(convertible, method, headers, requestModifier), interceptor,
            shouldAutomaticallyResume)
    }

    /// Makes an upload of bytes, with a request of something that is one.
    ///
    /// - Parameters:
    ///   - data: The body, in place of the request's own.
    ///   - convertible: Makes the request of each attempt.
    ///   - interceptor: Adapts and retries the request, behind those of the manager.
    ///   - shouldAutomaticallyResume: Whether the first handler resumes it; nil for
    ///     ``startRequestsImmediately``.
    /// - Returns: The request.
    public func upload(
        _ data: Data,
        with convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil
    ) -> UploadRequest {
        uploadRequest(
            .data(data), RequestSource(convertible, relativeTo: baseURL), interceptor,
            shouldAutomaticallyResume)
    }

    /// Makes an upload of a file, which is read while it is sent, and again for each attempt.
    ///
    /// - Parameters:
    ///   - fileURL: A regular file.
    ///   - convertible: The URL; a relative one is below ``baseURL``.
    ///   - method: The method; default POST.
    ///   - headers: Header fields.
    ///   - interceptor: Adapts and retries the request, behind those of the manager.
    ///   - shouldAutomaticallyResume: Whether the first handler resumes it; nil for
    ///     ``startRequestsImmediately``.
    ///   - requestModifier: Changes the request of each attempt.
    /// - Returns: The request.
    public func upload(
        _ fileURL: URL,
        to convertible: any URLConvertible,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        requestModifier: RequestModifier? = nil
    ) -> UploadRequest {
        uploadRequest(
            .file(fileURL), source(convertible, method, headers, requestModifier), interceptor,
            shouldAutomaticallyResume)
    }

    /// Makes an upload of a file, with a request of something that is one.
    ///
    /// - Parameters:
    ///   - fileURL: A regular file.
    ///   - convertible: Makes the request of each attempt.
    ///   - interceptor: Adapts and retries the request, behind those of the manager.
    ///   - shouldAutomaticallyResume: Whether the first handler resumes it; nil for
    ///     ``startRequestsImmediately``.
    /// - Returns: The request.
    public func upload(
        _ fileURL: URL,
        with convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil
    ) -> UploadRequest {
        uploadRequest(
            .file(fileURL), RequestSource(convertible, relativeTo: baseURL), interceptor,
            shouldAutomaticallyResume)
    }

    /// Makes an upload of what streams give, which are made anew for each attempt.
    ///
    /// - Parameters:
    ///   - stream: Makes a stream of the whole body, on a thread that may wait.
    ///   - convertible: The URL; a relative one is below ``baseURL``.
    ///   - method: The method; default POST.
    ///   - headers: Header fields; without a `Content-Length` the body is sent chunked.
    ///   - interceptor: Adapts and retries the request, behind those of the manager.
    ///   - shouldAutomaticallyResume: Whether the first handler resumes it; nil for
    ///     ``startRequestsImmediately``.
    ///   - requestModifier: Changes the request of each attempt.
    /// - Returns: The request.
    public func upload(
        _ stream: @escaping BodyStreamFactory,
        to convertible: any URLConvertible,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        requestModifier: RequestModifier? = nil
    ) -> UploadRequest {
        let length = headers?["Content-Length"].flatMap { Int64($0) }
        return uploadRequest(
            .stream(length: length, stream),
            source(convertible, method, headers, requestModifier), interceptor,
            shouldAutomaticallyResume)
    }

    /// Makes an upload of what streams give, with a request of something that is one.
    ///
    /// - Parameters:
    ///   - stream: Makes a stream of the whole body, on a thread that may wait. It is sent chunked.
    ///   - convertible: Makes the request of each attempt.
    ///   - interceptor: Adapts and retries the request, behind those of the manager.
    ///   - shouldAutomaticallyResume: Whether the first handler resumes it; nil for
    ///     ``startRequestsImmediately``.
    /// - Returns: The request.
    public func upload(
        _ stream: @escaping BodyStreamFactory,
        with convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil
    ) -> UploadRequest {
        uploadRequest(
            .stream(length: nil, stream), RequestSource(convertible, relativeTo: baseURL),
            interceptor, shouldAutomaticallyResume)
    }

    /// Makes an upload of a stream, which can be read only once: what asks for the body again fails the request.
    @available(*, deprecated, message: "pass a closure that makes the stream: { InputStream(…) }")
    public func upload(
        _ stream: InputStream,
        to convertible: any URLConvertible,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
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
    ) -> UploadRequest {
        let task: UploadTask = makeChainTask(
            UploadTaskDelegate.self, source, interceptor, upload: body)
        return handle(of: task, resumesAutomatically)
    }
}

/// A stream that the caller gave.
// Sendable: it is only passed on, to the one reader of a body that is not replayable.
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
