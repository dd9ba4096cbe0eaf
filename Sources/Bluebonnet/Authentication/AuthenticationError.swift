/// An error in the authentication to a server or proxy.
///
/// Either no credential could be sent, or the response cannot be trusted. The error never contains
/// a password.
public struct AuthenticationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The cause of the failure.
    public let reason: Reason
    /// The host of the server, or of the proxy.
    public let host: String
    /// Whether the authentication is to a proxy.
    public let isProxy: Bool

    /// Creates an error.
    public init(reason: Reason, host: String, isProxy: Bool) {
        self.reason = reason
        self.host = host
        self.isProxy = isProxy
    }

    /// The causes of an authentication failure.
    @nonexhaustive
    public enum Reason: Error, Sendable, Hashable {
        /// The system's OpenSSL does not provide the hash, for example MD5 in FIPS mode.
        case hashUnavailable(String)
        /// Only Digest with `auth-int` is offered, and the body is not in memory to be hashed.
        case bodyNotInMemory
        /// The credential cannot be sent, for the reason in the text.
        case invalidCredential(String)
        /// The maximum number of credentials for one protection space was refused.
        case tooManyCredentials(Int)
        /// The maximum number of exchanges of a task ended with a challenge.
        case tooManyChallenges(Int)
        /// The server failed to prove that it knows the password, for the reason in the text.
        case mutualAuthenticationFailed(String)
    }

    /// A one-line description of what happened and what to do about it.
    public var description: String {
        "authentication at \(isProxy ? "the proxy" : "the server") \(host.quoted): \(reason.text)"
    }
}

extension AuthenticationError.Reason {
    fileprivate var text: String {
        switch self {
        case .hashUnavailable(let name):
            """
            the system's OpenSSL does not provide \(name), for example because it is in FIPS mode; \
            configure the server to offer Digest with SHA-256
            """
        case .bodyNotInMemory:
            """
            it accepts only Digest with qop auth-int, which requires a hash of the body; send the \
            body from memory, or configure the server to offer qop auth
            """
        case .invalidCredential(let detail):
            "the credential cannot be sent: \(detail)"
        case .tooManyCredentials(let count):
            "it refused \(count) credentials; check the user name and password"
        case .tooManyChallenges(let count):
            "\(count) exchanges of one task ended with a challenge; check the server's settings"
        case .mutualAuthenticationFailed(let detail):
            """
            it did not prove that it knows the password (\(detail)); it might not be the server \
            that it claims to be
            """
        }
    }
}
