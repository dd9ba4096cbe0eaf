public import FoundationNetworking

/// The response to a challenge.
public enum ChallengeDisposition: Sendable {
    /// Handles the challenge as if there were no hook.
    ///
    /// The response with the challenge becomes the task's response. A server is trusted if the
    /// security policy accepts it.
    case performDefaultHandling
    /// Trusts the server even if the security policy does not accept it, for example because of a
    /// pin.
    ///
    /// The decision applies to all tasks under the same policy that receive the same certificates
    /// from the same host and port. It lasts until the manager's policy or identities change. For
    /// other challenges this is equivalent to ``performDefaultHandling``.
    case trustServer
    /// Sends the request again with a user name and password.
    ///
    /// Once they are accepted, the session keeps them in memory for the same protection space,
    /// unless their persistence is `.none`. For server trust this is equivalent to
    /// ``performDefaultHandling``.
    case useCredential(URLCredential)
    /// Rejects this scheme and realm, and continues with the next weaker scheme that was offered.
    ///
    /// For server trust, the server is not trusted. The decision applies to the same tasks as that
    /// of ``trustServer``.
    case rejectProtectionSpace
    /// Cancels the task.
    case cancel
    /// Fails the task with an error.
    case fail(any Error)
}

extension ChallengeDisposition: CustomStringConvertible, CustomReflectable {
    /// A one-line description without the user name and password.
    public var description: String {
        switch self {
        case .performDefaultHandling: "performDefaultHandling"
        case .trustServer: "trustServer"
        case .useCredential: "useCredential"
        case .rejectProtectionSpace: "rejectProtectionSpace"
        case .cancel: "cancel"
        case .fail(let error): "fail: \(error)"
        }
    }

    /// A mirror without the credential, whose password `dump` would print.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
