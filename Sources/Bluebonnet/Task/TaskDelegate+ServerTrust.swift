import BluebonnetTransport
import Foundation
import FoundationNetworking

// Asks about a server whose certificates nobody has decided on, on the callback queue.
extension TaskDelegate {
    /// A server could present new certificates each time it is asked.
    private static let maximumTrustChallenges = 10

    /// Whether somebody decides over the server before the failure is final.
    func asksAboutServer(_ failure: Exchange.Failure) -> Bool {
        guard let fault = failure.certificateFault, let question = fault.question,
            let trust = ServerTrust(fault), let request = currentRequest,
            let decisions = try? decisions(for: request),
            let challenge = AuthenticationChallenge(trust, of: request)
        else { return false }
        let count = state.withLock { state in
            state.trustChallengeCount += 1
            return state.trustChallengeCount
        }
        guard count <= Self.maximumTrustChallenges else { return false }
        TrustInquiry(
            delegate: self, decisions: decisions, question: question, challenge: challenge,
            failure: failure
        ).begin()
        return true
    }

    private func decisions(for request: URLRequest) throws -> TrustDecisions? {
        let hasLeftOrigin = state.withLock { $0.hasLeftOrigin }
        return try setup.pools.pool(for: request, hasLeftOrigin: hasLeftOrigin).decisions
    }

    /// Sends a request again that never left: no connection could carry it.
    fileprivate func connectAgain() {
        guard let request = currentRequest else { return complete(with: nil) }
        do throws(BluebonnetError) {
            startExchange(try exchange(for: request))
        } catch {
            complete(with: error)
        }
    }
}

/// One task's wait for a decision over a server, which it asks for itself or has in common with
/// others.
private struct TrustInquiry: Sendable {
    let delegate: TaskDelegate
    let decisions: TrustDecisions
    let question: TrustQuestion
    let challenge: AuthenticationChallenge
    let failure: Exchange.Failure

    /// What came of it for this task alone.
    enum Outcome: Sendable {
        case settled
        case cancel
        case fail(any Error)
    }

    func begin() {
        delegate.ask(asChallenge: true) {
            await outcome()
        } then: { delegate, outcome in
            take(outcome, delegate)
        }
    }

    private func take(_ outcome: Outcome, _ delegate: TaskDelegate) {
        switch outcome {
        case .settled where decisions.decision(on: question) == true: delegate.connectAgain()
        case .settled: delegate.complete(with: .transport(failure, .init()))
        case .cancel: delegate.abandon()
        case .fail(let error): delegate.complete(with: TaskDelegate.error(error))
        }
    }

    /// Asks, or waits for the answer to somebody who asks the same.
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
        let disposition = await withTaskCancellationHandler {
            await manager.didReceiveChallenge(task, challenge: challenge)
        } onCancel: {
            // Not when the hook returns: it may never do so, and others wait.
            decisions.leaveOpen(question)
        }
        // Who is told to stop may give any answer.
        guard !Task.isCancelled else { return .settled }
        switch disposition {
        case .trustServer: decisions.decide(question, true)
        // A password is no answer to the question.
        case .performDefaultHandling, .useCredential:
            decisions.decide(question, challenge.serverTrust?.fault == nil)
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
