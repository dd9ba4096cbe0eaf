public import Foundation
import FoundationNetworking

extension HTTPSessionManager {
    /// Makes a download that is begun when it has its first handler.
    ///
    /// - Parameters:
    ///   - convertible: The URL; a relative one is below ``baseURL``.
    ///   - method: The method; default GET.
    ///   - parameters: What the encoding puts into the request.
    ///   - encoding: How; by default into the query of GET, HEAD and DELETE, and into the body of others as a form.
    ///   - headers: Header fields.
    ///   - interceptor: Adapts and retries the request, behind those of the manager.
    ///   - shouldAutomaticallyResume: Whether the first handler resumes it; nil for
    ///     ``startRequestsImmediately``.
    ///   - requestModifier: Changes the request before the parameters are encoded.
    ///   - destination: Where the file goes; nil for a temporary place, from where it is removed when the handlers have
    ///     returned.
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

    /// Makes a download with parameters from a dictionary of a known type.
    @_disfavoredOverload
    public func download(
        _ convertible: any URLConvertible,
        method: HTTPMethod = .get,
        parameters: [String: any Sendable]?,
        encoding: any ParameterEncoding = URLEncoding.default,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        requestModifier: RequestModifier? = nil,
        to destination: DownloadRequest.Destination? = nil
    ) -> DownloadRequest {
        download(
            convertible, method: method, parameters: parameters.map { Parameters($0) },
            encoding: encoding, headers: headers, interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume, requestModifier: requestModifier,
            to: destination)
    }

    /// Makes a download with parameters of a type of yours, which are encoded in each attempt.
    ///
    /// - Parameters:
    ///   - convertible: The URL; a relative one is below ``baseURL``.
    ///   - method: The method; default GET.
    ///   - parameters: What the encoder puts into the request.
    ///   - encoder: How; by default as a form, into the query of GET, HEAD and DELETE, and into the body of others.
    ///   - headers: Header fields.
    ///   - interceptor: Adapts and retries the request, behind those of the manager.
    ///   - shouldAutomaticallyResume: Whether the first handler resumes it; nil for
    ///     ``startRequestsImmediately``.
    ///   - requestModifier: Changes the request before the parameters are encoded.
    ///   - destination: Where the file goes; nil for a temporary place.
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

    /// Makes a download of something that is a request, such as a case of a router.
    ///
    /// - Parameters:
    ///   - convertible: Makes the request of each attempt.
    ///   - interceptor: Adapts and retries the request, behind those of the manager.
    ///   - shouldAutomaticallyResume: Whether the first handler resumes it; nil for
    ///     ``startRequestsImmediately``.
    ///   - destination: Where the file goes; nil for a temporary place.
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

    /// Makes a request that goes on with a download that was cancelled for that, or broke.
    ///
    /// What is on the disk already is not asked for again, as long as the server still has the same.
    ///
    /// - Parameters:
    ///   - data: From ``DownloadRequest/cancel(byProducingResumeData:)`` or a response's ``Response/resumeData``. Data
    ///     that cannot be used fails the request.
    ///   - interceptor: Adapts and retries the request, behind those of the manager.
    ///   - shouldAutomaticallyResume: Whether the first handler resumes it; nil for
    ///     ``startRequestsImmediately``.
    ///   - destination: Where the file goes; nil for a temporary place.
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
            ?? Download(destination: nil, options: [], record: record)
        let task: DownloadTask = makeChainTask(
            DownloadTaskDelegate.self, source, interceptor, flow: .file(download))
        return handle(of: task, resumesAutomatically)
    }
}

extension Download {
    /// A download to where the chain's closure says.
    fileprivate convenience init(
        to destination: @escaping DownloadRequest.Destination, record: ResumeRecord?
    ) {
        self.init(
            placing: { head in
                let place = destination(Self.unusedPlace(), head.httpURLResponse)
                return (place.destinationURL, place.options)
            }, record: record)
    }
}
