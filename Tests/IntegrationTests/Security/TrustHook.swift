import Bluebonnet
import BluebonnetTransport

/// Answers questions about servers and records them.
final class TrustHook: Sendable {
    private let asked = Locked<[AuthenticationChallenge]>([])
    private let answer: @Sendable (AuthenticationChallenge) async -> ChallengeDisposition
    /// Has an element for each question.
    let questions: AsyncStream<AuthenticationChallenge>
    private let continuation: AsyncStream<AuthenticationChallenge>.Continuation

    init(
        _ answer: @escaping @Sendable (AuthenticationChallenge) async -> ChallengeDisposition
    ) {
        self.answer = answer
        (questions, continuation) = AsyncStream.makeStream()
    }

    convenience init(_ answer: ChallengeDisposition) {
        self.init { _ in answer }
    }

    var challenges: [AuthenticationChallenge] { asked.withLock { $0 } }

    var faults: [Exchange.Failure.CertificateFault.Check?] {
        challenges.map { $0.serverTrust?.fault }
    }

    /// Answers the questions of a manager from now on.
    func answers(for manager: SessionManager) {
        manager.didReceiveChallenge = { [self] _, challenge in
            asked.withLock { $0.append(challenge) }
            continuation.yield(challenge)
            return await answer(challenge)
        }
    }
}
