public import Bluebonnet

extension HTTPSessionManager {
    /// Creates a download that starts when its first handler is added.
    ///
    /// - Parameters:
    ///   - convertible: The URL; a relative URL is resolved against
    ///     ``/Bluebonnet/HTTPSessionManager/baseURL``.
    ///   - method: The method. The default is GET.
    ///   - parameters: The parameters, which `encoding` puts into the request.
    ///   - encoding: How the parameters are encoded. By default, they are a query for GET, HEAD and
    ///     DELETE, and a form in the body for other methods. It is called even without parameters.
    ///   - headers: The header fields.
    ///   - interceptor: Adapts and retries the request, after the manager's interceptors.
    ///   - shouldAutomaticallyResume: Whether the first handler resumes the request; nil uses
    ///     ``startRequestsImmediately``.
    ///   - requestModifier: Changes the request before the parameters are encoded.
    ///   - destination: The destination of the file. If it is nil, the file is temporary, and is
    ///     removed after the handlers have returned.
    /// - Returns: The request.
    public func download(
        _ convertible: any URLConvertible,
        method: HTTPMethod = .get,
        parameters: Parameters? = nil,
        encoding: any ParameterEncoding = URLEncoding.default,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        requestModifier: RequestModifier? = nil,
        to destination: DownloadRequest.Destination? = nil
    ) -> DownloadRequest {
        let request = ChainRequest(
            url: convertible, method: method, headers: headers, modifier: requestModifier)
        return downloadRequest(
            request.source(relativeTo: baseURL, encode: encode(parameters, encoding)),
            interceptor, shouldAutomaticallyResume, to: destination)
    }

    /// Creates a download with parameters from a dictionary with values of any type.
    @_disfavoredOverload
    public func download(
        _ convertible: any URLConvertible,
        method: HTTPMethod = .get,
        parameters: [String: Any]?,
        encoding: any ParameterEncoding = URLEncoding.default,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        requestModifier: RequestModifier? = nil,
        to destination: DownloadRequest.Destination? = nil
    ) -> DownloadRequest {
        download(
            convertible, method: method, parameters: parameters.map(Parameters.init(unchecked:)),
            encoding: encoding, headers: headers, interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume, requestModifier: requestModifier,
            to: destination)
    }

    /// Creates a download with `Encodable` parameters, which are encoded in each attempt.
    ///
    /// - Parameters:
    ///   - convertible: The URL; a relative URL is resolved against
    ///     ``/Bluebonnet/HTTPSessionManager/baseURL``.
    ///   - method: The method. The default is GET.
    ///   - parameters: The parameters, which `encoder` puts into the request.
    ///   - encoder: How the parameters are encoded. By default, they are a query for GET, HEAD and
    ///     DELETE, and a form in the body for other methods.
    ///   - headers: The header fields.
    ///   - interceptor: Adapts and retries the request, after the manager's interceptors.
    ///   - shouldAutomaticallyResume: Whether the first handler resumes the request; nil uses
    ///     ``startRequestsImmediately``.
    ///   - requestModifier: Changes the request before the parameters are encoded.
    ///   - destination: The destination of the file. If it is nil, the file is temporary, and is
    ///     removed after the handlers have returned.
    /// - Returns: The request.
    public func download<P: Encodable & Sendable>(
        _ convertible: any URLConvertible,
        method: HTTPMethod = .get,
        parameters: P? = nil,
        encoder: any ParameterEncoder = URLEncodedFormParameterEncoder.default,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        requestModifier: RequestModifier? = nil,
        to destination: DownloadRequest.Destination? = nil
    ) -> DownloadRequest {
        let request = ChainRequest(
            url: convertible, method: method, headers: headers, modifier: requestModifier)
        return downloadRequest(
            request.source(relativeTo: baseURL, encode: encode(parameters, encoder)),
            interceptor, shouldAutomaticallyResume, to: destination)
    }

    /// Creates a download from a convertible value, such as a case of a router.
    ///
    /// - Parameters:
    ///   - convertible: Creates the request of each attempt.
    ///   - interceptor: Adapts and retries the request, after the manager's interceptors.
    ///   - shouldAutomaticallyResume: Whether the first handler resumes the request; nil uses
    ///     ``startRequestsImmediately``.
    ///   - destination: The destination of the file. If it is nil, the file is temporary, and is
    ///     removed after the handlers have returned.
    /// - Returns: The request.
    public func download(
        _ convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        to destination: DownloadRequest.Destination? = nil
    ) -> DownloadRequest {
        downloadRequest(
            RequestSource(convertible, relativeTo: baseURL), interceptor, shouldAutomaticallyResume,
            to: destination)
    }

    /// Creates a request that resumes a download that failed or was canceled for that purpose.
    ///
    /// Bytes that are already on the disk are not requested again, as long as the file on the
    /// server is the same.
    ///
    /// - Parameters:
    ///   - data: The data from ``/Bluebonnet/DownloadTask/cancel(byProducingResumeData:)`` or from
    ///     a response's ``/Bluebonnet/Response/resumeData``. Unusable data fails the request.
    ///   - interceptor: Adapts and retries the request, after the manager's interceptors.
    ///   - shouldAutomaticallyResume: Whether the first handler resumes the request; nil uses
    ///     ``startRequestsImmediately``.
    ///   - destination: The destination of the file. If it is nil, the file is temporary, and is
    ///     removed after the handlers have returned.
    /// - Returns: The request.
    public func download(
        resumingWith data: Data,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        to destination: DownloadRequest.Destination? = nil
    ) -> DownloadRequest {
        let (request, record) = Self.resuming(data, with: nil)
        return downloadRequest(
            .made(request), interceptor, shouldAutomaticallyResume, to: destination, record)
    }

    private func downloadRequest(
        _ source: RequestSource, _ interceptor: (any RequestInterceptor)?,
        _ resumesAutomatically: Bool?, to destination: DownloadRequest.Destination?,
        _ record: ResumeRecord? = nil
    ) -> DownloadRequest {
        let download =
            destination.map { Download(to: $0, record: record) }
            ?? Download(placing: nil, record: record)
        return makeRequest(source, interceptor, resumesAutomatically, to: .file(download))
    }
}

extension Download {
    /// Creates a download to the destination that the chain's closure returns.
    fileprivate convenience init(
        to destination: @escaping DownloadRequest.Destination, record: ResumeRecord?
    ) {
        self.init(
            placing: { head in
                let place = destination(Self.unusedPlace(), head.httpURLResponse)
                return Download.Place(url: place.destinationURL, options: place.options)
            }, record: record)
    }
}
