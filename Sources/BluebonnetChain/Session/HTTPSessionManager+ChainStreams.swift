public import Bluebonnet

extension HTTPSessionManager {
    /// Creates a request whose response is streamed when its first handler is added.
    ///
    /// - Parameters:
    ///   - convertible: The URL; a relative URL is resolved against
    ///     ``/Bluebonnet/HTTPSessionManager/baseURL``.
    ///   - method: The method. The default is GET.
    ///   - headers: The header fields.
    ///   - automaticallyCancelOnStreamError: Whether a value that cannot be serialized ends the
    ///     request with its error. The default is false.
    ///   - interceptor: Adapts and retries the request, after the manager's interceptors. Its
    ///     retriers are called before anything is streamed.
    ///   - shouldAutomaticallyResume: Whether the first handler resumes the request; nil uses
    ///     ``startRequestsImmediately``.
    ///   - requestModifier: Changes the request of each attempt.
    /// - Returns: The request.
    public func streamRequest(
        _ convertible: any URLConvertible,
        method: HTTPMethod = .get,
        headers: HTTPHeaders? = nil,
        automaticallyCancelOnStreamError: Bool = false,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        requestModifier: RequestModifier? = nil
    ) -> DataStreamRequest {
        let request = ChainRequest(
            url: convertible, method: method, headers: headers, modifier: requestModifier)
        return streamRequest(
            request.source(relativeTo: baseURL), automaticallyCancelOnStreamError, interceptor,
            shouldAutomaticallyResume)
    }

    /// Creates a streamed request with `Encodable` parameters, which are encoded in each attempt.
    ///
    /// - Parameters:
    ///   - convertible: The URL; a relative URL is resolved against
    ///     ``/Bluebonnet/HTTPSessionManager/baseURL``.
    ///   - method: The method. The default is GET.
    ///   - parameters: The parameters, which `encoder` puts into the request.
    ///   - encoder: How the parameters are encoded. By default, they are a query for GET, HEAD and
    ///     DELETE, and a form in the body for other methods.
    ///   - headers: The header fields.
    ///   - automaticallyCancelOnStreamError: Whether a value that cannot be serialized ends the
    ///     request with its error. The default is false.
    ///   - interceptor: Adapts and retries the request, after the manager's interceptors.
    ///   - shouldAutomaticallyResume: Whether the first handler resumes the request; nil uses
    ///     ``startRequestsImmediately``.
    ///   - requestModifier: Changes the request before the parameters are encoded.
    /// - Returns: The request.
    public func streamRequest<P: Encodable & Sendable>(
        _ convertible: any URLConvertible,
        method: HTTPMethod = .get,
        parameters: P? = nil,
        encoder: any ParameterEncoder = URLEncodedFormParameterEncoder.default,
        headers: HTTPHeaders? = nil,
        automaticallyCancelOnStreamError: Bool = false,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        requestModifier: RequestModifier? = nil
    ) -> DataStreamRequest {
        let request = ChainRequest(
            url: convertible, method: method, headers: headers, modifier: requestModifier)
        return streamRequest(
            request.source(relativeTo: baseURL, encode: encode(parameters, encoder)),
            automaticallyCancelOnStreamError, interceptor, shouldAutomaticallyResume)
    }

    /// Creates a streamed request from a convertible value, such as a case of a router.
    ///
    /// - Parameters:
    ///   - convertible: Creates the request of each attempt.
    ///   - automaticallyCancelOnStreamError: Whether a value that cannot be serialized ends the
    ///     request with its error. The default is false.
    ///   - interceptor: Adapts and retries the request, after the manager's interceptors.
    ///   - shouldAutomaticallyResume: Whether the first handler resumes the request; nil uses
    ///     ``startRequestsImmediately``.
    /// - Returns: The request.
    public func streamRequest(
        _ convertible: any URLRequestConvertible,
        automaticallyCancelOnStreamError: Bool = false,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil
    ) -> DataStreamRequest {
        streamRequest(
            RequestSource(convertible, relativeTo: baseURL), automaticallyCancelOnStreamError,
            interceptor, shouldAutomaticallyResume)
    }

    private func streamRequest(
        _ source: RequestSource, _ endsOnFailure: Bool, _ interceptor: (any RequestInterceptor)?,
        _ resumesAutomatically: Bool?
    ) -> DataStreamRequest {
        makeRequest(
            source, interceptor, resumesAutomatically, to: .stream(endsOnFailure: endsOnFailure))
    }
}
