public import Bluebonnet

extension HTTPSessionManager {
    /// Creates an upload of a `multipart/form-data` form.
    ///
    /// The form is read while it is sent, and again for each attempt. Its `Content-Type` replaces
    /// any other. A part that cannot be sent fails the request.
    ///
    /// - Parameters:
    ///   - multipartFormData: Appends the parts. Called once, before this method returns.
    ///   - convertible: The URL; a relative URL is resolved against
    ///     ``/Bluebonnet/HTTPSessionManager/baseURL``.
    ///   - encodingMemoryThreshold: Has no effect. A form is never held in memory as a whole, nor
    ///     written to a file.
    ///   - method: The method. The default is POST.
    ///   - headers: The header fields.
    ///   - interceptor: Adapts and retries the request, after the manager's interceptors.
    ///   - shouldAutomaticallyResume: Whether the first handler resumes the request; nil uses
    ///     ``startRequestsImmediately``.
    ///   - fileManager: Has no effect.
    ///   - requestModifier: Changes the request of each attempt.
    /// - Returns: The request.
    public func upload(
        multipartFormData: (inout MultipartFormData) -> Void,
        to convertible: any URLConvertible,
        usingThreshold encodingMemoryThreshold: UInt64 = 10_000_000,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        fileManager: FileManager = .default,
        requestModifier: RequestModifier? = nil
    ) -> UploadRequest {
        var form = MultipartFormData()
        multipartFormData(&form)
        return upload(
            multipartFormData: form, to: convertible, method: method, headers: headers,
            interceptor: interceptor, shouldAutomaticallyResume: shouldAutomaticallyResume,
            requestModifier: requestModifier)
    }

    /// Creates an upload of a complete form.
    ///
    /// - Parameters:
    ///   - multipartFormData: The form.
    ///   - convertible: The URL; a relative URL is resolved against
    ///     ``/Bluebonnet/HTTPSessionManager/baseURL``.
    ///   - encodingMemoryThreshold: Has no effect.
    ///   - method: The method. The default is POST.
    ///   - headers: The header fields; nil, the default, for none.
    ///   - interceptor: Adapts and retries the request, after the manager's interceptors; nil for
    ///     none.
    ///   - shouldAutomaticallyResume: Whether the first handler resumes the request; nil uses
    ///     ``startRequestsImmediately``.
    ///   - fileManager: Has no effect.
    ///   - requestModifier: Changes the request of each attempt; nil for none.
    /// - Returns: The request.
    public func upload(
        multipartFormData: MultipartFormData,
        to convertible: any URLConvertible,
        usingThreshold encodingMemoryThreshold: UInt64 = 10_000_000,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        fileManager: FileManager = .default,
        requestModifier: RequestModifier? = nil
    ) -> UploadRequest {
        uploadRequest(
            multipartFormData, source(convertible, method, headers, requestModifier), interceptor,
            shouldAutomaticallyResume)
    }

    /// Creates an upload of a form, with a request from a convertible value.
    public func upload(
        multipartFormData: (inout MultipartFormData) -> Void,
        with convertible: any URLRequestConvertible,
        usingThreshold encodingMemoryThreshold: UInt64 = 10_000_000,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        fileManager: FileManager = .default
    ) -> UploadRequest {
        var form = MultipartFormData()
        multipartFormData(&form)
        return upload(
            multipartFormData: form, with: convertible, interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume)
    }

    /// Creates an upload of a complete form, with a request from a convertible value.
    public func upload(
        multipartFormData: MultipartFormData,
        with convertible: any URLRequestConvertible,
        usingThreshold encodingMemoryThreshold: UInt64 = 10_000_000,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        fileManager: FileManager = .default
    ) -> UploadRequest {
        uploadRequest(
            multipartFormData, RequestSource(convertible, relativeTo: baseURL), interceptor,
            shouldAutomaticallyResume)
    }

    private func uploadRequest(
        _ form: MultipartFormData, _ source: RequestSource,
        _ interceptor: (any RequestInterceptor)?, _ resumesAutomatically: Bool?
    ) -> UploadRequest {
        let body = Result { try MultipartBody(form) }
        return uploadRequest(nil, source.with(body), interceptor, resumesAutomatically)
    }
}

extension RequestSource {
    /// Returns the source with a form in each request, or its failure.
    fileprivate func with(_ form: Result<MultipartBody, any Error>) -> RequestSource {
        .maker {
            var request = try make()
            let body = try form.mapError { error in
                BluebonnetError.invalidRequest(
                    "\(error)", .init(request: request, underlying: error))
            }.get()
            request.httpBodyStream = MultipartBodyStream(body)
            request.setMultipartFields()
            return request
        }
    }
}
