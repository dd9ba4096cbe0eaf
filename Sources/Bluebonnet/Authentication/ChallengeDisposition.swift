public import FoundationNetworking

/// What is to be done about a challenge.
public enum ChallengeDisposition: Sendable {
    /// As if nobody had been asked: the response with the challenge is the task's, and a server is
    /// trusted if the security policy accepts it.
    case performDefaultHandling
    /// The server is trusted, whatever the security policy holds against it, pins included.
    ///
    /// It counts for all tasks under the same policy that meet the same certificates at the same host
    /// and port, until the manager's policy or identities change. For other challenges it is the
    /// default handling.
    case trustServer
    /// The request is sent again with user name and password.
    ///
    /// The session remembers them in memory for the same protection space, once they were
    /// accepted, unless the persistence is `.none`. A server is not trusted for it: that is the
    /// default handling.
    case useCredential(URLCredential)
    /// This scheme and realm are refused; the next weaker scheme that was offered is asked for.
    ///
    /// A server is not trusted, by any task that it would be trusted by after ``trustServer``.
    case rejectProtectionSpace
    /// The task is cancelled.
    case cancel
    /// The task fails with this error.
    case fail(any Error)
}

extension ChallengeDisposition: CustomStringConvertible, CustomReflectable {
    /// The decision in one line, without user name and password.
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

    /// Leaves out the credential, whose password `dump` would print.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
