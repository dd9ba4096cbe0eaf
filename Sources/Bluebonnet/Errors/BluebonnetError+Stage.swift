extension BluebonnetError {
    /// The stages of a task in which it can fail.
    @nonexhaustive
    public enum Stage: String, Sendable, Hashable {
        /// Building the request, or reading its body.
        case request
        /// Adapting the request, or deciding about a retry.
        case interception
        /// Checking the request against the security policy, before anything is sent.
        case security
        /// Starting a task after the manager's session was invalidated.
        case session
        /// The exchange with the server.
        case transport
        /// Following a redirect.
        case redirect
        /// Providing a credential to a server or proxy.
        case authentication
        /// Judging the status code and content type, and calling validators.
        case validation
        /// Creating a value from the body.
        case serialization
        /// Writing, moving or reading a file.
        case file
        /// A cancellation at any stage.
        case cancellation
    }

    /// The stage in which the task failed, for example for counting errors.
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
