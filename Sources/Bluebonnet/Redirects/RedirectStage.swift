import BluebonnetTransport
import Foundation
import FoundationNetworking

/// The stage that decides how a task continues after a redirect.
struct RedirectStage: TaskStage {
    let delegate: TaskDelegate
    /// The task whose redirect a rule is deciding, for handlers that take a task.
    @TaskLocal static var decidedTask: SessionTask?

    /// Decides about a redirect whose body has been read to the end, or to the limit for redirects.
    func decide() -> TaskRun.Event? {
        let (head, request, count, rule, span) = state.withLock { state in
            (
                state.exchange.head, state.attempt.request, state.attempt.redirectCount,
                state.redirects, state.rare.span
            )
        }
        guard let head, let request else { return .keepResponse }
        if case .doNotFollow = rule { return .keepResponse }
        let policy = RedirectPolicy(configuration: session.configuration, span: span)
        switch policy.decision(after: head, to: request, followed: count) {
        case .deliver: return .keepResponse
        case .refuse(let reason): return .failed(.redirect(reason, .init()))
        case .follow(let next): return ask(about: next, after: head, rule, policy)
        }
    }

    private func ask(
        about proposed: URLRequest, after head: ResponseHead, _ rule: RedirectRule?,
        _ policy: RedirectPolicy
    ) -> TaskRun.Event? {
        delegate.emit(.willRedirect(head, to: proposed))
        switch rule {
        case .decide(let decide):
            let task = task
            return ask(about: proposed, policy) {
                await Self.$decidedTask.withValue(task) { await decide(head, proposed) }
            }
        // Handlers can block Swift's threads, so no Swift task is created without a hook to call.
        case nil where session.audience.hooked.contains(.willRedirect):
            guard let manager, let task else { break }
            return ask(about: proposed, policy) {
                await manager.taskWillPerformHTTPRedirection(task, head: head, newRequest: proposed)
            }
        case nil, .follow, .doNotFollow: break
        }
        return follow(policy.request(proposed, insteadOf: proposed), proposed: proposed)
    }

    private func ask(
        about proposed: URLRequest, _ policy: RedirectPolicy,
        _ question: @escaping @Sendable () async -> URLRequest?
    ) -> TaskRun.Event? {
        QuestionStage(delegate).ask(HookQuestion(), nil, question) { delegate, answer in
            // Without a request to follow, the redirect itself is the response.
            guard let answer else { return .keepResponse }
            let next = policy.request(answer, insteadOf: proposed)
            return RedirectStage(delegate).follow(next, proposed: proposed)
        }
        return nil
    }

    private func follow(_ next: URLRequest, proposed: URLRequest) -> TaskRun.Event? {
        let next = state.withLock { state in
            var next = next
            // A hook's own request has to ask for the rest of the file, too.
            if state.isDownload { state.rare.download?.record?.apply(to: &next) }
            state.attempt.follow(
                next, proposed: proposed, after: state.exchange.head, from: state.exchange.sent)
            return next
        }
        return delegate.resend(next)
    }
}
