public import Bluebonnet

// Alamofire's cases of an error, for which the compiler names what to write instead.
extension BluebonnetError {
    /// Alamofire's case for a response that a validation rejects.
    @available(
        *, unavailable,
        message:
            "use unacceptableStatus, unacceptableContentType or validation; throw your own error"
    )
    public static func responseValidationFailed(
        reason: ResponseValidationFailureReason
    ) -> AFError { .validation("", Context()) }

    /// Alamofire's case for a body that cannot be serialized.
    @available(*, unavailable, message: "use unreadableBody; throw your own error")
    public static func responseSerializationFailed(
        reason: ResponseSerializationFailureReason
    ) -> AFError { .unreadableBody("", Context()) }

    /// Alamofire's case for parameters that cannot be encoded.
    @available(*, unavailable, message: "use invalidRequest; throw your own error")
    public static func parameterEncodingFailed(reason: ParameterEncodingFailureReason) -> AFError {
        .invalidRequest("", Context())
    }

    /// Alamofire's case for parameters that cannot be encoded.
    @available(*, unavailable, message: "use invalidRequest; throw your own error")
    public static func parameterEncoderFailed(reason: some Any) -> AFError {
        .invalidRequest("", Context())
    }

    /// Alamofire's case for a form that cannot be sent.
    @available(*, unavailable, message: "use isMultipartEncodingError; throw your own error")
    public static func multipartEncodingFailed(reason: some Any) -> AFError {
        .requestBody("", Context())
    }

    /// Alamofire's case for a body that cannot be read.
    @available(*, unavailable, message: "use requestBody, or file for an unreadable file")
    public static func createUploadableFailed(error: any Error) -> AFError {
        .requestBody("", Context())
    }

    /// Alamofire's case for a request that cannot be created.
    @available(*, unavailable, message: "use invalidRequest; throw your own error")
    public static func createURLRequestFailed(error: any Error) -> AFError {
        .invalidRequest("", Context())
    }

    /// Alamofire's case for a URL that is not valid.
    @available(*, unavailable, message: "use invalidRequest; throw a URLConversionError")
    public static func invalidURL(url: any URLConvertible) -> AFError {
        .invalidRequest("", Context())
    }

    /// Alamofire's case for a request that cannot be sent.
    @available(*, unavailable, message: "use invalidRequest; a GET request can have a body")
    public static func urlRequestValidationFailed(reason: some Any) -> AFError {
        .invalidRequest("", Context())
    }

    /// Alamofire's case for an adapter that fails.
    @available(*, unavailable, message: "use adaptation; throw your own error")
    public static func requestAdaptationFailed(error: any Error) -> AFError {
        .adaptation("", Context())
    }

    /// Alamofire's case for a retrier that fails.
    @available(*, unavailable, message: "use retry, underlyingError and originalError")
    public static func requestRetryFailed(
        retryError: any Error, originalError: any Error
    ) -> AFError { .retry("", Context()) }

    /// Alamofire's case for an exchange that fails.
    @available(*, unavailable, message: "use transport, redirect or authentication")
    public static func sessionTaskFailed(error: any Error) -> AFError { .redirect("", Context()) }

    /// Alamofire's case for a server that is not trusted.
    @available(*, unavailable, message: "use transport and certificateFault")
    public static func serverTrustEvaluationFailed(reason: some Any) -> AFError {
        .authentication("", Context())
    }

    /// Alamofire's case for a file that cannot be moved to its destination.
    @available(*, unavailable, message: "use file")
    public static func downloadedFileMoveFailed(
        error: any Error, source: URL, destination: URL
    ) -> AFError { .validation("", Context()) }

    /// Alamofire's case for an invalidated session.
    @available(*, unavailable, message: "use sessionInvalidated(context)")
    public static func sessionInvalidated(error: (any Error)?) -> AFError {
        .sessionInvalidated(Context())
    }

    /// Alamofire's case for a canceled request.
    @available(*, unavailable, message: "use cancelled, or isExplicitlyCancelledError")
    public static var explicitlyCancelled: AFError { .cancelled(Context()) }

    /// Alamofire's case for a released session.
    @available(*, unavailable, message: "a running request holds its session")
    public static var sessionDeinitialized: AFError { .sessionInvalidated(Context()) }
}
