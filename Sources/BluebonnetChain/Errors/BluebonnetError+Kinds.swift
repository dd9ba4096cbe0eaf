public import Bluebonnet

// Alamofire's Boolean properties of an error. The error cases differ: see the article
// ComingFromAlamofire.
extension BluebonnetError {
    /// Whether the request was canceled, or released without ever being resumed.
    public var isExplicitlyCancelledError: Bool {
        if case .cancelled = self { true } else { false }
    }

    /// Whether a value could not be converted to the URL of a request.
    public var isInvalidURLError: Bool { isRequestError(below: URLConversionError.self) }

    /// Whether a ``ParameterEncoding`` or a JSON encoder failed.
    public var isParameterEncodingError: Bool { isRequestError(below: ParameterEncodingError.self) }

    /// Whether a ``ParameterEncoder`` for forms failed.
    public var isParameterEncoderError: Bool { isRequestError(below: ParameterEncoderError.self) }

    /// Whether a multipart form could not be created or read.
    public var isMultipartEncodingError: Bool { context.underlying is MultipartFailure }

    /// Whether the body of an upload could not be read.
    public var isCreateUploadableError: Bool {
        switch self {
        case .requestBody: !isMultipartEncodingError
        case .file(let failure, _): failure.isOfRequest
        default: false
        }
    }

    /// Whether the request could not be created, for a reason other than its URL, parameters or
    /// form.
    public var isCreateURLRequestError: Bool {
        guard case .invalidRequest = self else { return false }
        return !isInvalidURLError && !isParameterEncodingError && !isParameterEncoderError
            && !isMultipartEncodingError
    }

    /// Whether an adapter failed or timed out.
    public var isRequestAdaptationError: Bool {
        if case .adaptation = self { true } else { false }
    }

    /// Whether the response was rejected for its status code, its content type or by a custom
    /// validation.
    public var isResponseValidationError: Bool { stage == .validation }

    /// Whether the body could not be serialized.
    public var isResponseSerializationError: Bool { stage == .serialization }

    /// Whether a retrier returned an error or timed out.
    public var isRequestRetryError: Bool {
        if case .retry = self { true } else { false }
    }

    /// Whether the file of a download could not be written or moved to its destination.
    public var isDownloadedFileMoveError: Bool {
        if case .file(let failure, _) = self { !failure.isOfRequest } else { false }
    }

    /// Whether the exchange failed.
    ///
    /// Reasons include a failed connection, a timeout, an invalid response, a redirect that cannot
    /// be followed, and a rejected credential.
    public var isSessionTaskError: Bool {
        switch stage {
        case .transport, .redirect, .authentication: !isServerTrustEvaluationError
        default: false
        }
    }

    /// Whether the server was not trusted.
    public var isServerTrustEvaluationError: Bool { certificateFault != nil }

    /// Whether the manager's session was invalidated before the request was started.
    public var isSessionInvalidatedError: Bool {
        if case .sessionInvalidated = self { true } else { false }
    }

    /// Always false, because a running request holds its manager.
    public var isSessionDeinitializedError: Bool { false }

    private func isRequestError<Cause>(below cause: Cause.Type) -> Bool {
        if case .invalidRequest = self { context.underlying is Cause } else { false }
    }
}

extension Error {
    /// The error as a ``/Bluebonnet/BluebonnetError``; nil for any other error.
    public var asAFError: AFError? { self as? AFError }
}
