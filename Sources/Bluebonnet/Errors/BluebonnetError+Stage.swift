extension BluebonnetError {
    /// The stages of a task at which it can fail.
    @nonexhaustive
    public enum Stage: String, Sendable, Hashable {
        /// Building the request, or reading its body.
        case request
        /// Adapting the request, or deciding about a retry.
        case interception
        /// What the security policy asks for, before anything is sent.
        case security
        /// The manager's session, which is over.
        case session
        /// The exchange with the server.
        case transport
        /// Following a redirect.
        case redirect
        /// Giving a server or proxy a credential.
        case authentication
        /// Judging status, content type, and what validators look at.
        case validation
        /// Making a value of the body.
        case serialization
        /// Writing, moving or reading a file.
        case file
        /// A cancel, at whatever stage.
        case cancellation
    }

    /// The stage at which the task failed, for example to count errors by.
    public var stage: Stage {
        switch self {
        case .invalidRequest, .requestBody: .request
        case .adaptation, .retry: .interception
        case .securityPolicy: .security
        case .sessionInvalidated: .session
        case .transport: .transport
        case .redirect: .redirect
        case .authentication: .authentication
        case .unacceptableStatus, .unacceptableContentType, .validation: .validation
        case .unreadableBody: .serialization
        case .file: .file
        case .cancelled: .cancellation
        }
    }
}
