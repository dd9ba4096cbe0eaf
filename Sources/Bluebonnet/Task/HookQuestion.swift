import BluebonnetTransport
import Foundation
import FoundationNetworking

// What a task asks hooks that may take their time.
extension TaskDelegate {
    /// Asks on a thread of the hook's own choice, and comes back to the callback queue.
    ///
    /// A task that ends meanwhile, or has no time left, cancels the Swift task of the hook and does
    /// not wait for its answer.
    func ask<Answer: Sendable>(
        asChallenge isChallenge: Bool = false,
        _ question: @escaping @Sendable () async -> Answer,
        then tell: @escaping @Sendable (TaskDelegate, Answer) -> TaskRun.Event?
    ) {
        let (session, address) = (session, address)
        let limit = questionLimit(isChallenge)
        let asked = HookQuestion()
        let answering: @Sendable () async -> Void = {
            let answer = await question()
            let deliver: @Sendable (TaskDelegate) -> Void = { delegate in
                guard delegate.takesAnswer(to: asked) else { return }
                if let event = tell(delegate, answer) { delegate.handle(event) }
            }
            session.send(.answer(deliver), to: address)
        }
        let giveUp: @Sendable (TaskDelegate) -> Void = { delegate in
            guard let limit, delegate.takesAnswer(to: asked) else { return }
            delegate.handle(.failed(.transport(limit.failure, .init())))
        }
        asked.begin(answering, within: limit?.seconds) {
            session.send(.answer(giveUp), to: address)
        }
        state.withLock { $0.question = asked }
    }

    /// Whether a question is still open; it is not from then on.
    private func takesAnswer(to asked: HookQuestion) -> Bool {
        let isOpen = state.withLock { state in
            guard state.question === asked else { return false }
            state.question = nil
            return true
        }
        if isOpen { asked.end() }
        return isOpen
    }

    private func questionLimit(
        _ isChallenge: Bool
    ) -> (seconds: TimeInterval, failure: Exchange.Failure)? {
        let own = isChallenge ? ExchangeBuilder.usable(session.configuration.challengeTimeout) : nil
        let whole = session.exchangeBuilder.wholeTimeout
        let rest = whole.map { remaining(of: $0) } ?? .infinity
        if let own, own < rest {
            let failure = Exchange.Failure(
                .timedOut,
                message: """
                    didReceiveChallenge has not answered within \(own) seconds; have it answer \
                    sooner, or raise challengeTimeout
                    """,
                timeout: .challenge
            )
            return (own, failure)
        }
        guard let whole else { return nil }
        let failure = Exchange.Failure(
            .timedOut,
            message: "the task took longer than \(whole) seconds, and a hook had not answered",
            timeout: .whole
        )
        return (rest, failure)
    }
}

/// A hook that has been asked, and its time limit.
final class HookQuestion: Sendable {
    private let tasks = Locked<(answering: Task<Void, Never>, timer: Task<Void, Never>?)?>(nil)

    func begin(
        _ answering: @escaping @Sendable () async -> Void,
        within seconds: TimeInterval?,
        otherwise giveUp: @escaping @Sendable () -> Void
    ) {
        let timer = seconds.map { seconds in
            Task {
                // Cancelled when there is an answer.
                guard (try? await Task.sleep(for: .seconds(seconds))) != nil else { return }
                giveUp()
            }
        }
        tasks.withLock { $0 = (Task { await answering() }, timer) }
    }

    /// Cancels what is still under way.
    func end() {
        let tasks = tasks.withLock { $0.take() }
        tasks?.answering.cancel()
        tasks?.timer?.cancel()
    }
}
