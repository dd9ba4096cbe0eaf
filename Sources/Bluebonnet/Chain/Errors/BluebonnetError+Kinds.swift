import BluebonnetTransport
import Foundation
import FoundationNetworking

// Alamofire's questions about an error. Its cases are other ones: see the article about coming from there.
extension BluebonnetError {
    /// Whether the request was cancelled, or let go without ever being resumed.
    public var isExplicitlyCancelledError: Bool {
        if case .cancelled = self { true } else { false }
    }

    /// Whether something was no URL that a request can be sent to.
    public var isInvalidURLError: Bool { isRequestError(below: URLConversionError.self) }

    /// Whether a ``ParameterEncoding`` or an encoder of JSON failed.
    public var isParameterEncodingError: Bool { isRequestError(below: ParameterEncodingError.self) }

    /// Whether a ``ParameterEncoder`` of forms failed.
    public var isParameterEncoderError: Bool { isRequestError(below: ParameterEncoderError.self) }

    /// Whether a multipart form could not be made or read.
    public var isMultipartEncodingError: Bool { context.underlying is MultipartFailure }

    /// Whether the body of an upload could not be read.
    public var isCreateUploadableError: Bool {
        switch self {
        case .requestBody: !isMultipartEncodingError
        case .file(let failure, _): failure.isOfRequest
        default: false
        }
    }

    /// Whether the request could not be made, for another reason than its URL or its parameters.
    public var isCreateURLRequestError: Bool {
        guard case .invalidRequest = self else { return false }
        return !isInvalidURLError && !isParameterEncodingError && !isParameterEncoderError
            && !isMultipartEncodingError
    }

    /// Whether an adapter failed, or did not answer in time.
    public var isRequestAdaptationError: Bool {
        if case .adaptation = self { true } else { false }
    }

    /// Whether status, content type or a validation of your own refused the response.
    public var isResponseValidationError: Bool { stage == .validation }

    /// Whether the body could not be serialized.
    public var isResponseSerializationError: Bool { stage == .serialization }

    /// Whether a retrier answered with an error of its own, or not in time.
    public var isRequestRetryError: Bool {
        if case .retry = self { true } else { false }
    }

    /// Whether the file of a download could not be written or moved to its destination.
    public var isDownloadedFileMoveError: Bool {
        if case .file(let failure, _) = self { !failure.isOfRequest } else { false }
    }

    /// Whether the exchange failed: no connection, a timeout, a broken response, a redirect that cannot be followed, or
    /// a credential that was refused.
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

    /// No: a running request holds its manager.
    public var isSessionDeinitializedError: Bool { false }

    private func isRequestError<Cause>(below cause: Cause.Type) -> Bool {
        if case .invalidRequest = self { context.underlying is Cause } else { false }
    }
}

extension Error {
    /// The error as one of the library's; nil for every other.
    public var asAFError: AFError? { self as? AFError }
}
