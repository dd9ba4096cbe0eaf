public import FoundationNetworking

/// What is to be done about a challenge.
public enum ChallengeDisposition: Sendable {
    /// As if nobody had been asked: the response with the challenge is the task's.
    case performDefaultHandling
    /// The request is sent again with user name and password.
    ///
    /// The session remembers them in memory for the same protection space, once they were
    /// accepted, unless the persistence is `.none`.
    case useCredential(URLCredential)
    /// This scheme and realm are refused; the next weaker scheme that was offered is asked for.
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
        case .useCredential: "useCredential"
        case .rejectProtectionSpace: "rejectProtectionSpace"
        case .cancel: "cancel"
        case .fail(let error): "fail: \(error)"
        }
    }

    /// Leaves out the credential, whose password `dump` would print.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
