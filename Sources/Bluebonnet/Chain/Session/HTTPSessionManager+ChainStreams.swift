import Foundation
import FoundationNetworking

extension HTTPSessionManager {
    /// Makes a request that is streamed when it has its first handler.
    ///
    /// - Parameters:
    ///   - convertible: The URL; a relative one is below ``baseURL``.
    ///   - method: The method; default GET.
    ///   - headers: Header fields.
    ///   - automaticallyCancelOnStreamError: Whether something that is no value ends the request, with its error;
    ///     default false.
    ///   - interceptor: Adapts and retries the request, behind those of the manager. Retriers are asked before anything
    ///     is streamed.
    ///   - shouldAutomaticallyResume: Whether the first handler resumes it; nil for
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

    /// Makes a streamed request with parameters of a type of yours, which are encoded in each attempt.
    ///
    /// - Parameters:
    ///   - convertible: The URL; a relative one is below ``baseURL``.
    ///   - method: The method; default GET.
    ///   - parameters: What the encoder puts into the request.
    ///   - encoder: How; by default as a form, into the query of GET, HEAD and DELETE, and into the body of others.
    ///   - headers: Header fields.
    ///   - automaticallyCancelOnStreamError: Whether something that is no value ends the request, with its error;
    ///     default false.
    ///   - interceptor: Adapts and retries the request, behind those of the manager.
    ///   - shouldAutomaticallyResume: Whether the first handler resumes it; nil for
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

    /// Makes a streamed request of something that is a request, such as a case of a router.
    ///
    /// - Parameters:
    ///   - convertible: Makes the request of each attempt.
    ///   - automaticallyCancelOnStreamError: Whether something that is no value ends the request, with its error;
    ///     default false.
    ///   - interceptor: Adapts and retries the request, behind those of the manager.
    ///   - shouldAutomaticallyResume: Whether the first handler resumes it; nil for
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
        let channel = ResponseChannel()
        let task: DataTask = makeChainTask(
            StreamTaskDelegate.self, source, interceptor, responder: StreamEnd(channel),
            flow: .stream(channel))
        task.delegate.state.withLock { $0.streams.endsOnFailure = endsOnFailure }
        return handle(of: task, resumesAutomatically)
    }
}
