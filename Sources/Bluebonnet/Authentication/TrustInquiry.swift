import BluebonnetTransport
import Foundation
import FoundationNetworking

extension FailureStage {
    /// The maximum number of trust challenges, because a server can present new certificates each
    /// time.
    private static let maximumTrustChallenges = 10

    /// Returns the inquiry about a server with undecided certificates, or nil if the failure is
    /// final.
    func trustInquiry(after failure: Exchange.Failure) -> TrustInquiry? {
        guard let fault = failure.certificateFault, let question = fault.question,
            let trust = ServerTrust(fault), let request = delegate.currentRequest,
            let decisions = try? decisions(for: request),
            let challenge = AuthenticationChallenge(trust, of: request)
        else { return nil }
        let count = state.withLock { state in
            state.attempt.rare.trustChallengeCount += 1
            return state.attempt.rare.trustChallengeCount
        }
        guard count <= Self.maximumTrustChallenges else { return nil }
        return TrustInquiry(
            delegate: delegate, decisions: decisions, question: question, challenge: challenge,
            request: request, failure: failure
        )
    }

    private func decisions(for request: URLRequest) throws -> TrustDecisions? {
        let hasLeftOrigin = state.withLock { $0.attempt.hasLeftOrigin }
        return try delegate.setup.pools.pool(
            for: request, hasLeftOrigin: hasLeftOrigin, route: delegate.setup.options?.values.route
        ).decisions
    }
}

/// A task's wait for a decision about a server, which it requests itself or shares with other
/// tasks.
struct TrustInquiry: Sendable {
    let delegate: TaskDelegate
    let decisions: TrustDecisions
    let question: TrustQuestion
    let challenge: AuthenticationChallenge
    /// The request to send once the server is trusted.
    ///
    /// On a new connection it was not sent before. If libcurl reconnects after a reused connection
    /// is lost, it might have been sent.
    let request: URLRequest
    let failure: Exchange.Failure

    /// The outcome for this task.
    enum Outcome: Sendable {
        case settled
        case cancel
        case fail(any Error)
    }

    func begin() -> TaskRun.Event? {
        // Handlers that block threads delay Swift tasks, so one is created only to ask a hook.
        guard delegate.session.audience.hooked.contains(.challenged) else {
            if decisions.decision(on: question) == nil {
                delegate.emit(.challenged(challenge))
                decideByDefault()
            }
            return event(after: .settled)
        }
        let questions = QuestionStage(delegate)
        questions.ask(HookQuestion(), questions.challengeLimit) {
            await outcome()
        } then: { _, outcome in
            event(after: outcome)
        }
        return nil
    }

    private func event(after outcome: Outcome) -> TaskRun.Event {
        switch outcome {
        case .settled where decisions.decision(on: question) == true: return .follow(request)
        case .settled: return .failed(.transport(failure, .init()))
        case .cancel:
            return .cancel(.hook)
        case .fail(let error): return .failed(ChallengeStage.error(error))
        }
    }

    /// Applies the verdict of the policy.
    private func decideByDefault() {
        decisions.decide(question, challenge.serverTrust?.fault == nil)
    }

    /// Asks the hook, or waits while another task asks about the same server and certificates.
    private func outcome() async -> Outcome {
        while !Task.isCancelled {
            let (settled, wake) = AsyncStream.makeStream(of: Void.self)
            switch decisions.turn(on: question, whenSettled: { wake.finish() }) {
            case .decided: return .settled
            case .ask: return await ask()
            case .wait: for await _ in settled {}
            }
        }
        return .settled
    }

    private func ask() async -> Outcome {
        guard let manager = delegate.manager, let task = delegate.task else {
            decisions.leaveOpen(question)
            return .settled
        }
        guard !Task.isCancelled else {
            decisions.leaveOpen(question)
            return .settled
        }
        delegate.emit(.challenged(challenge))
        let disposition = await withTaskCancellationHandler {
            await manager.didReceiveChallenge(task, challenge: challenge)
        } onCancel: {
            // Not after the hook returns: it might never return, and other tasks are waiting.
            decisions.leaveOpen(question)
        }
        // The answer of a canceled hook is ignored.
        guard !Task.isCancelled else { return .settled }
        switch disposition {
        case .trustServer: decisions.decide(question, true)
        // A password does not answer the question.
        case .performDefaultHandling, .useCredential: decideByDefault()
        case .rejectProtectionSpace: decisions.decide(question, false)
        case .cancel:
            decisions.leaveOpen(question)
            return .cancel
        case .fail(let error):
            decisions.leaveOpen(question)
            return .fail(error)
        }
        return .settled
    }
}
