import BluebonnetTransport
import Foundation
import FoundationNetworking

/// What follows a redirect.
struct RedirectStage: TaskStage {
    let delegate: TaskDelegate

    init(_ delegate: TaskDelegate) {
        self.delegate = delegate
    }

    /// Reads a redirect's body to its end where that is near, so that the connection is kept, and
    /// else ends the exchange, or the task where a hook may want what is too much to keep.
    func receive(_ count: Int) {
        // Only the hook may want more of a redirect than an excerpt.
        guard !session.activeHooks.contains(anyOf: .redirect) else {
            let limit = session.configuration.maximumRedirectBodySize
            if count > limit {
                delegate.handle(.failed(.transport(.redirectTooLarge(limit), .init())))
            }
            return
        }
        guard count > Self.largestExcerpt else { return }
        state.withLock { $0.exchange.hasEnoughOfRedirect = true }
        delegate.handle(.cut)
    }

    private static let largestExcerpt = 64 * 1024

    /// Decides about a redirect whose exchange has ended.
    func decide() -> TaskRun.Event? {
        let (head, request, count) = state.withLock { state in
            (state.exchange.head, state.attempt.request, state.attempt.redirectCount)
        }
        guard let head, let request else { return .deliver }
        let policy = RedirectPolicy(configuration: session.configuration)
        switch policy.decision(after: head, to: request, followed: count) {
        case .deliver: return .deliver
        case .refuse(let reason): return .failed(.redirect(reason, .init()))
        case .follow(let next): return ask(about: next, after: head, policy)
        }
    }

    private func ask(
        about proposed: URLRequest, after head: ResponseHead, _ policy: RedirectPolicy
    ) -> TaskRun.Event? {
        // Swift tasks wait for threads that handlers may block, so none is made without a hook to ask.
        guard session.activeHooks.contains(anyOf: .redirect), let manager, let task else {
            return follow(policy.request(proposed, insteadOf: proposed), proposed: proposed)
        }
        delegate.ask {
            await manager.taskWillPerformHTTPRedirection(task, head: head, newRequest: proposed)
        } then: { delegate, answer in
            // Without a request to follow, the redirect itself is the response.
            guard let answer else { return .deliver }
            let next = policy.request(answer, insteadOf: proposed)
            return RedirectStage(delegate).follow(next, proposed: proposed)
        }
        return nil
    }

    private func follow(_ next: URLRequest, proposed: URLRequest) -> TaskRun.Event? {
        state.withLock { state in
            state.attempt.follow(next, proposed: proposed, from: state.exchange.sent)
        }
        ChallengeStage(delegate).useKnownCredentials(for: next)
        return delegate.resend(next)
    }
}
