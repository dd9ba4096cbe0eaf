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
        let limit = isChallenge ? session.challengeLimit : nil
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
            delegate.handle(.failed(.transport(.unanswered(within: limit), .init())))
        }
        let timer = limit.map { limit in
            session.clock.schedule(after: Duration(delayInSeconds: limit)) {
                session.send(.answer(giveUp), to: address)
            }
        }
        state.withLock { $0.question = asked }
        asked.begin(answering, timer, on: session.work.clock?.taskExecutor)
        noteWork()
    }

    /// Whether a question is still open; it is not from then on.
    private func takesAnswer(to asked: HookQuestion) -> Bool {
        let isOpen = state.withLock { state in
            guard state.question === asked else { return false }
            state.question = nil
            return true
        }
        if isOpen {
            noteWork()
            asked.end()
        }
        return isOpen
    }
}

extension SessionCore {
    /// How long the answer to a challenge may take, in seconds; nil for no limit.
    fileprivate var challengeLimit: TimeInterval? {
        ExchangeBuilder.usable(configuration.challengeTimeout)
    }
}

extension Exchange.Failure {
    fileprivate static func unanswered(within seconds: TimeInterval) -> Self {
        Self(
            .timedOut,
            message: """
                didReceiveChallenge has not answered within \(seconds) seconds; have it answer \
                sooner, or raise challengeTimeout
                """,
            timeout: .challenge
        )
    }
}

/// A hook that has been asked, and its time limit.
final class HookQuestion: Sendable {
    private struct State {
        var answering: Task<Void, Never>?
        var timer: (any SessionTimer)?
        var hasEnded = false
    }

    private let state = Locked(State())

    func begin(
        _ answering: @escaping @Sendable () async -> Void, _ timer: (any SessionTimer)?,
        on executor: (any TaskExecutor)?
    ) {
        let task = Task(executorPreference: executor) { await answering() }
        let hasEnded = state.withLock { state in
            (state.answering, state.timer) = (task, timer)
            return state.hasEnded
        }
        if hasEnded { end() }
    }

    /// Cancels what is still under way.
    func end() {
        let former = state.withLock { state in
            state.hasEnded = true
            defer { (state.answering, state.timer) = (nil, nil) }
            return (state.answering, state.timer)
        }
        former.0?.cancel()
        former.1?.cancel()
    }
}
