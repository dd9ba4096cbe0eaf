public import BluebonnetTransport
public import Foundation
public import FoundationNetworking

/// Why a task failed; the cases follow the stages of a task.
@nonexhaustive
public indirect enum BluebonnetError: Error, Sendable {
    /// The request could not be built; nothing was sent.
    case invalidRequest(String, Context)
    /// An adapter failed, or did not answer in time; nothing was sent in this attempt. Its own error is the context's
    /// underlying one.
    case adaptation(String, Context)
    /// A retrier answered ``RetryResult/doNotRetryWithError(_:)``, or not in time. Its own error is the context's
    /// underlying one, and that of the attempt is ``originalError``.
    case retry(String, Context)
    /// The manager's security policy refuses the request, or cannot be followed; nothing was sent.
    case securityPolicy(String, Context)
    /// The manager's session was invalidated before the task was started; nothing was sent.
    case sessionInvalidated(Context)
    /// The exchange failed: no connection, a timeout, a broken response.
    case transport(Exchange.Failure, Context)
    /// The request's body could not be read while it was sent; the context's underlying error says
    /// why.
    case requestBody(String, Context)
    /// A redirect could not be followed.
    case redirect(String, Context)
    /// A server or proxy could not be given a credential, or the hook refused to; the context's
    /// underlying error says why.
    case authentication(String, Context)
    /// The status is not one that the serializer accepts.
    case unacceptableStatus(Int, Context)
    /// The content type is not one that the serializer accepts; nil when none was sent.
    case unacceptableContentType(String?, acceptable: Set<String>, Context)
    /// A validator of the task refused the response; its own error is the context's underlying one.
    case validation(String, Context)
    /// The body could not be read; the serializer's own error is the context's underlying one.
    case unreadableBody(String, Context)
    /// A file could not be written, moved to its destination, or read for an upload.
    case file(FileFailure, Context)
    /// The task was cancelled, or let go without ever being resumed.
    case cancelled(Context)

    /// What was there when the error arose.
    ///
    /// Printed it shows no header fields of the request, no query and no bodies, and none of what
    /// the task has sent that is secret, whoever repeats it. Its members are what they are.
    public struct Context: Sendable {
        /// The request, as it was last sent or as it was asked for.
        public var request: URLRequest?
        /// Status and headers, where a response came.
        public var head: ResponseHead?
        /// The body as far as it was received.
        public var data: Data?
        /// The error below this one.
        public var underlying: (any Error)?
        /// What ``SessionManager/downloadTask(withResumeData:request:validatedBy:destination:options:progress:completionHandler:)``
        /// needs to go on with a download that broke; nil where that is impossible.
        public var resumeData: Data?
        /// The statuses that the serializer accepts, where one was not accepted.
        public var acceptableStatusCodes: Set<Int>?
        /// What the task has sent; nil of an error that is no task's.
        var sent: Redactor?
        /// Why the task was cancelled, where its holder did not ask for it.
        var cancellation: CancellationCause?
        /// The failure of the attempt that a retrier was asked about, where the task failed of something else.
        var attemptError: BluebonnetError?
        /// Why the attempt was not retried although a retrier wanted that.
        var retryNote: String?
        /// Whether the task's requests can be sent again without being processed twice; nil where it is not
        /// known.
        var isRepeatable: Bool?

        /// Makes a context.
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
    /// Request, head, body and the error below.
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

    /// The `URLError` that `URLSession` would give, with libcurl's own words in it.
    ///
    /// Its failing URL is without user, query and fragment. The error below it is a
    /// ``BluebonnetError`` or an `NSError` with the description of the context's, without secrets.
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

    /// The code of an adapter's error; nil for that of a cancel, since it was not the task that was cancelled.
    private static func code(of error: any Error) -> URLError.Code? {
        let code = (error as? BluebonnetError)?.urlErrorCode ?? (error as? URLError)?.code
        return code == .cancelled ? nil : code
    }

    /// The failure of the last attempt, where the task failed of something else: a cancel or the deadline during a
    /// delay or a question, or a retrier's own error.
    public var originalError: BluebonnetError? { context.attemptError }

    /// Foundation's form of the response's head; nil when no response came.
    public var response: HTTPURLResponse? { context.head?.httpURLResponse }

    /// What it takes to go on with a download that broke or was cancelled for that; nil where that
    /// is impossible.
    public var resumeData: Data? { context.resumeData }

    /// Whether the task ended because it was cancelled.
    public var isCancelled: Bool {
        if case .sessionInvalidated = self { false } else { urlErrorCode == .cancelled }
    }

    /// The limit of ``SessionConfiguration/timeouts`` that struck; nil when none did.
    public var timeout: Exchange.Failure.Timeout? {
        if case .transport(let failure, _) = self { failure.timeout } else { nil }
    }

    /// The limit of ``SessionConfiguration`` that the response went beyond; nil when it was none.
    public var limit: Exchange.Failure.Limit? {
        if case .transport(let failure, _) = self { failure.limit } else { nil }
    }

    /// Which part of the response broke the rules of HTTP; nil when none did.
    public var malformedPart: Exchange.Failure.MalformedPart? {
        if case .transport(let failure, _) = self { failure.malformedPart } else { nil }
    }

    /// What ``SessionConfiguration/addressGuard`` denied; nil when it was nothing.
    public var addressDenial: AddressGuard.Denial? {
        if case .transport(let failure, _) = self { failure.denial } else { nil }
    }

    /// Whether a timeout struck.
    public var isTimeout: Bool { urlErrorCode == .timedOut }
}
