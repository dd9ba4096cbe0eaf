public import BluebonnetTransport
public import Foundation
public import FoundationNetworking

/// The error of a task; its cases follow the stages of a task.
@nonexhaustive
public indirect enum BluebonnetError: Error, Sendable {
    /// The request could not be built; nothing was sent.
    case invalidRequest(String, Context)
    /// An adapter failed or timed out; nothing was sent in this attempt.
    ///
    /// The adapter's own error is the underlying error of the context.
    case adaptation(String, Context)
    /// A retrier returned ``RetryResult/doNotRetryWithError(_:)`` or timed out.
    ///
    /// The retrier's own error is the underlying error of the context. The error of the attempt is
    /// ``originalError``.
    case retry(String, Context)
    /// The manager's security policy refused the request or could not be applied; nothing was sent.
    case securityPolicy(String, Context)
    /// The manager's session was invalidated before the task started; nothing was sent.
    case sessionInvalidated(Context)
    /// The exchange failed, for example without a connection, by a timeout or a malformed response.
    case transport(Exchange.Failure, Context)
    /// The request's body could not be read while it was sent; the context has the underlying
    /// error.
    case requestBody(String, Context)
    /// A redirect could not be followed.
    case redirect(String, Context)
    /// No credential could be provided to a server or proxy, or the challenge hook refused to
    /// provide one.
    ///
    /// The context has the underlying error.
    case authentication(String, Context)
    /// The serializer does not accept the status code.
    case unacceptableStatus(Int, Context)
    /// The serializer does not accept the content type, which is nil if the response has none.
    case unacceptableContentType(String?, acceptable: Set<String>, Context)
    /// A validator of the task refused the response; its own error is the context's underlying
    /// error.
    case validation(String, Context)
    /// The body could not be read; the serializer's own error is the context's underlying error.
    case unreadableBody(String, Context)
    /// A file could not be written, moved to its destination, or read for an upload.
    case file(FileFailure, Context)
    /// The task was canceled, or released without being resumed.
    case cancelled(Context)

    /// The request, response and underlying error that belong to an error.
    ///
    /// Its printed form has no header fields of the request, no query and no bodies. It also hides
    /// the secrets that the task has sent, even if the server repeats them. The properties
    /// themselves are not redacted.
    public struct Context: Sendable {
        /// The request that was sent last, or the original request if nothing was sent.
        public var request: URLRequest?
        /// The status and header fields; nil if no response was received.
        public var head: ResponseHead?
        /// The part of the body that was received.
        public var data: Data?
        /// Whether ``data`` is only the beginning of a refused response's body.
        ///
        /// The body exceeded ``SessionConfiguration/maximumErrorBodySize`` or
        /// ``SessionConfiguration/errorBodyTimeout``, or the connection was lost.
        public var isDataCut = false
        /// The underlying error.
        public var underlying: (any Error)?
        /// The data for resuming a download that failed; nil if it cannot be resumed.
        ///
        /// Pass it to
        /// ``SessionManager/downloadTask(withResumeData:request:validatedBy:destination:options:progress:completionHandler:)``.
        public var resumeData: Data?
        /// The status codes that the serializer accepts, if it refused the response's.
        public var acceptableStatusCodes: Set<Int>?
        /// The data that the task has sent, for redaction; nil if the error does not come from a
        /// task.
        package var sent: TaskRedactor?
        /// The reason for a cancellation that the task's owner did not request.
        var cancellation: CancellationCause?
        /// The error of the attempt that a retrier judged, if the task failed with another error.
        var attemptError: BluebonnetError?
        /// The reason why the attempt was not retried, although a retrier requested it or might
        /// have.
        var retryNote: String?
        /// The place of the record that the failure has cut, if records were read.
        var cutRecord: String?
        /// The number of the attempt that failed, from 1; nil if the error does not come from one.
        var attempt: Int?
        /// Whether the task's requests can be repeated without being processed twice; nil if not
        /// known.
        var isRepeatable: Bool?

        /// Creates a context.
        public init(
            request: URLRequest? = nil,
            head: ResponseHead? = nil,
            data: Data? = nil,
            underlying: (any Error)? = nil,
            resumeData: Data? = nil
        ) {
            self.request = request
            self.head = head
            self.data = data
            self.underlying = underlying
            self.resumeData = resumeData
        }
    }
}

extension BluebonnetError {
    /// The request, head, body and underlying error.
    public var context: Context {
        get {
            switch self {
            case .invalidRequest(_, let context), .sessionInvalidated(let context),
                .adaptation(_, let context), .retry(_, let context),
                .transport(_, let context), .redirect(_, let context),
                .requestBody(_, let context), .file(_, let context),
                .authentication(_, let context), .securityPolicy(_, let context),
                .unacceptableStatus(_, let context), .unacceptableContentType(_, _, let context),
                .validation(_, let context), .unreadableBody(_, let context),
                .cancelled(let context):
                context
            }
        }
        set {
            self =
                switch self {
                case .invalidRequest(let text, _): .invalidRequest(text, newValue)
                case .adaptation(let text, _): .adaptation(text, newValue)
                case .retry(let text, _): .retry(text, newValue)
                case .securityPolicy(let text, _): .securityPolicy(text, newValue)
                case .sessionInvalidated: .sessionInvalidated(newValue)
                case .transport(let failure, _): .transport(failure, newValue)
                case .redirect(let text, _): .redirect(text, newValue)
                case .requestBody(let text, _): .requestBody(text, newValue)
                case .authentication(let text, _): .authentication(text, newValue)
                case .file(let failure, _): .file(failure, newValue)
                case .unacceptableStatus(let code, _): .unacceptableStatus(code, newValue)
                case .unacceptableContentType(let type, let acceptable, _):
                    .unacceptableContentType(type, acceptable: acceptable, newValue)
                case .validation(let text, _): .validation(text, newValue)
                case .unreadableBody(let text, _): .unreadableBody(text, newValue)
                case .cancelled: .cancelled(newValue)
                }
        }
    }

    /// The error that `URLSession` would report, with libcurl's message if there is one.
    ///
    /// Its failing URL has no user, query and fragment. Its underlying error is a
    /// ``BluebonnetError``, or an `NSError` with the redacted description of the context's
    /// underlying error.
    public var urlError: URLError { URLError(urlErrorCode, userInfo: errorUserInfo) }

    var urlErrorCode: URLError.Code {
        switch self {
        case .invalidRequest: .badURL
        case .adaptation(_, let context): context.underlying.flatMap(Self.code) ?? .unknown
        case .retry(_, let context): context.attemptError?.urlErrorCode ?? .unknown
        case .securityPolicy: .appTransportSecurityRequiresSecureConnection
        case .sessionInvalidated, .cancelled: .cancelled
        case .transport(let failure, _): failure.code
        case .redirect: .redirectToNonExistentLocation
        case .requestBody: .requestBodyStreamExhausted
        case .authentication: .userAuthenticationRequired
        case .file(let failure, _): failure.urlErrorCode
        case .unacceptableStatus, .validation: .badServerResponse
        case .unacceptableContentType, .unreadableBody: .cannotDecodeContentData
        }
    }

    /// Returns the code of an adapter's error; nil for a cancellation, which was not the task's
    /// own.
    private static func code(of error: any Error) -> URLError.Code? {
        let code = (error as? BluebonnetError)?.urlErrorCode ?? (error as? URLError)?.code
        return code == .cancelled ? nil : code
    }

    /// The error of the last attempt, if the task then failed with another error.
    ///
    /// The other error is a cancellation or the deadline while the task waited for a retry or a
    /// retrier's answer, or the retrier's own error.
    public var originalError: BluebonnetError? { context.attemptError }

    /// The response's head as Foundation's type; nil if no response was received.
    public var response: HTTPURLResponse? { context.head?.httpURLResponse }

    /// The data for resuming a download that failed or was canceled; nil if it cannot be resumed.
    public var resumeData: Data? { context.resumeData }

    /// Whether the task ended because it was canceled.
    public var isCancelled: Bool {
        if case .sessionInvalidated = self { false } else { urlErrorCode == .cancelled }
    }

    /// The limit of ``SessionConfiguration/timeouts`` that was exceeded; nil if none was.
    public var timeout: Exchange.Failure.Timeout? {
        if case .transport(let failure, _) = self { failure.timeout } else { nil }
    }

    /// The limit of ``SessionConfiguration`` that the response exceeded; nil if it exceeded none.
    public var limit: Exchange.Failure.Limit? {
        if case .transport(let failure, _) = self { failure.limit } else { nil }
    }

    /// The part of the response that violated HTTP; nil if none did.
    public var malformedPart: Exchange.Failure.MalformedPart? {
        if case .transport(let failure, _) = self { failure.malformedPart } else { nil }
    }

    /// The denial of ``SessionConfiguration/addressGuard``; nil for other errors.
    public var addressDenial: AddressGuard.Denial? {
        if case .transport(let failure, _) = self { failure.denial } else { nil }
    }

    /// Whether the error is a timeout.
    public var isTimeout: Bool { urlErrorCode == .timedOut }
}
