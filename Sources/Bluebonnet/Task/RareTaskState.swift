import BluebonnetTransport
import Foundation

/// What few tasks have: more than one exchange, a credential, somebody who waits for more than the
/// response.
///
/// Apart from the rest of a task's state, since every task has to make, move and destroy that. It is
/// the state's alone, and read and written under the same lock.
final class RareTaskState {
    fileprivate var taskDescription: String?
    fileprivate var formerlySent: [SentRequest] = []
    fileprivate var redirected: Set<SentRequest> = []
    fileprivate var authentication: TaskAuthentication?
    fileprivate var authenticationFields: [Exchange.Field] = []
    fileprivate var trustChallengeCount = 0
    fileprivate var resumeDataHandlers: [@Sendable (Data?) -> Void] = []
    fileprivate var roomInFile: Int?
}

extension TaskState {
    private mutating func makeRareState() -> RareTaskState {
        let rareState = rareState ?? RareTaskState()
        self.rareState = rareState
        return rareState
    }

    var taskDescription: String? {
        get { rareState?.taskDescription }
        set { makeRareState().taskDescription = newValue }
    }

    /// What the exchanges before the last one sent.
    var formerlySent: [SentRequest] {
        get { rareState?.formerlySent ?? [] }
        set { makeRareState().formerlySent = newValue }
    }

    /// What was answered with redirects, so that none leads in a circle.
    var redirected: Set<SentRequest> {
        get { rareState?.redirected ?? [] }
        set { makeRareState().redirected = newValue }
    }

    /// Made for the first challenge, or the first credential that is known beforehand.
    var authentication: TaskAuthentication? {
        get { rareState?.authentication }
        set { makeRareState().authentication = newValue }
    }

    var authenticationFields: [Exchange.Field] {
        get { rareState?.authenticationFields ?? [] }
        set { makeRareState().authenticationFields = newValue }
    }

    /// How often somebody was asked about a server.
    var trustChallengeCount: Int {
        get { rareState?.trustChallengeCount ?? 0 }
        set { makeRareState().trustChallengeCount = newValue }
    }

    /// Who wants to know how to go on with a download that is being cancelled.
    var resumeDataHandlers: [@Sendable (Data?) -> Void] {
        get { rareState?.resumeDataHandlers ?? [] }
        set { makeRareState().resumeDataHandlers = newValue }
    }

    /// Bytes that the file of a data task that became a download may still take; nil for any number.
    var roomInFile: Int? {
        get { rareState?.roomInFile }
        set { makeRareState().roomInFile = newValue }
    }
}
