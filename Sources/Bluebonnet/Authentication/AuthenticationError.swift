/// Why a server or proxy could not be given a credential, or what it answered cannot be trusted.
///
/// No password is ever part of it.
public struct AuthenticationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong.
    public let reason: Reason
    /// The host of the server, or of the proxy.
    public let host: String
    /// Whether it is a proxy that wants to be authenticated to.
    public let isProxy: Bool

    /// Makes an error.
    public init(reason: Reason, host: String, isProxy: Bool) {
        self.reason = reason
        self.host = host
        self.isProxy = isProxy
    }

    /// The kinds of failure.
    @nonexhaustive
    public enum Reason: Error, Sendable, Hashable {
        /// The system's OpenSSL does not provide the hash, as in FIPS mode MD5.
        case hashUnavailable(String)
        /// Digest with `auth-int` alone is offered, and the body is not in memory to be hashed.
        case bodyNotInMemory
        /// The credential cannot be sent; the text says why.
        case invalidCredential(String)
        /// As many credentials were refused as are tried for one protection space.
        case tooManyCredentials(Int)
        /// As many exchanges of the task were answered with a challenge as are allowed.
        case tooManyChallenges(Int)
        /// The server's own proof of knowing the password is wrong.
        case mutualAuthenticationFailed(String)
    }

    /// What happened and what to do about it, in one line.
    public var description: String {
        "authentication at \(isProxy ? "the proxy" : "the server") \(host.quoted): \(reason.text)"
    }
}

extension AuthenticationError.Reason {
    fileprivate var text: String {
        switch self {
        case .hashUnavailable(let name):
            """
            the system's OpenSSL does not provide \(name), as in FIPS mode; let the server offer \
            Digest with SHA-256
            """
        case .bodyNotInMemory:
            """
            it accepts Digest with qop auth-int only, which takes a hash of the body; send the \
            body from memory, or let the server offer qop auth
            """
        case .invalidCredential(let detail):
            "the credential cannot be sent: \(detail)"
        case .tooManyCredentials(let count):
            "it refused \(count) credentials; check user name and password"
        case .tooManyChallenges(let count):
            "\(count) exchanges of one task ended with a challenge; the server may be misconfigured"
        case .mutualAuthenticationFailed(let detail):
            """
            its proof of knowing the password is wrong (\(detail)); it may not be the server \
            that it claims to be
            """
        }
    }
}
