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
        _ asked: HookQuestion = HookQuestion(),
        _ limit: QuestionLimit? = nil,
        _ question: @escaping @Sendable () async -> Answer,
        then tell: @escaping @Sendable (TaskDelegate, Answer) -> TaskRun.Event?
    ) {
        let deliver = deliverer(of: asked, then: tell)
        state.withLock { $0.question = asked }
        asked.begin(
            Task(executorPreference: session.work.clock?.taskExecutor) {
                deliver(await question())
            }, timer: limit.map { timer(of: asked, $0) })
        noteWork()
    }

    /// Asks on this thread as long as the hook does not wait; its answer if that is there by then.
    ///
    /// It is asked as by ``ask(_:_:_:then:)`` otherwise, and where a clock or the callback queue would wait for it.
    func askAtOnce<Answer: Sendable>(
        _ asked: HookQuestion,
        _ limit: QuestionLimit?,
        _ question: @escaping @Sendable () async -> Answer,
        then tell: @escaping @Sendable (TaskDelegate, Answer) -> TaskRun.Event?
    ) -> Answer? {
        guard session.work.clock == nil, !session.callbacks.isCurrent else {
            ask(asked, limit, question, then: tell)
            return nil
        }
        let deliver = deliverer(of: asked, then: tell)
        let early = Locked(EarlyAnswer<Answer>.open)
        let answering = Task.immediate {
            let answer = await question()
            if !early.withLock({ $0.give(answer) }) { deliver(answer) }
        }
        if let answer = early.withLock({ $0.given }) { return answer }
        // First, or an answer that comes at once would find no question.
        state.withLock { $0.question = asked }
        if let answer = early.withLock({ $0.take() }) {
            state.withLock { $0.question = nil }
            return answer
        }
        asked.begin(answering, timer: limit.map { timer(of: asked, $0) })
        noteWork()
        return nil
    }

    /// What brings an answer to the callback queue, and goes on with what comes of it.
    private func deliverer<Answer: Sendable>(
        of asked: HookQuestion,
        then tell: @escaping @Sendable (TaskDelegate, Answer) -> TaskRun.Event?
    ) -> @Sendable (Answer) -> Void {
        let (session, address) = (session, address)
        return { answer in
            let deliver: @Sendable (TaskDelegate) -> Void = { delegate in
                guard delegate.takesAnswer(to: asked) else { return }
                if let event = tell(delegate, answer) { delegate.handle(event) }
            }
            session.send(.answer(deliver), to: address)
        }
    }

    /// Waits, unless the task ends meanwhile.
    func wait(_ limit: QuestionLimit) {
        let waiting = HookQuestion()
        state.withLock { $0.question = waiting }
        waiting.begin(nil, timer: timer(of: waiting, limit))
        noteWork()
    }

    /// Schedules what happens to the task when a question has not been answered in time.
    private func timer(
        of asked: HookQuestion, _ limit: QuestionLimit
    ) -> @Sendable () -> any SessionTimer {
        let (session, address) = (session, address)
        let giveUp: @Sendable (TaskDelegate) -> Void = { delegate in
            guard delegate.takesAnswer(to: asked) else { return }
            if let event = limit.event(delegate) { delegate.handle(event) }
        }
        return {
            session.clock.schedule(after: limit.time) {
                session.send(.answer(giveUp), to: address)
            }
        }
    }

    /// How long a hook may take to answer a challenge; nil for no limit.
    var challengeLimit: QuestionLimit? {
        ExchangeBuilder.usable(session.configuration.challengeTimeout).map { seconds in
            QuestionLimit(time: Duration(delayInSeconds: seconds)) { _ in
                .failed(.transport(.unanswered(within: seconds), .init()))
            }
        }
    }

    /// How long an interceptor may take to answer, and what happens then; nil for no limit.
    func interceptorLimit(
        _ event: @escaping @Sendable (_ seconds: TimeInterval) -> TaskRun.Event
    ) -> QuestionLimit? {
        ExchangeBuilder.usable(session.configuration.interceptorTimeout).map { seconds in
            QuestionLimit(time: Duration(delayInSeconds: seconds)) { _ in event(seconds) }
        }
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

/// How long a task waits for an answer, and what happens to it then.
struct QuestionLimit: Sendable {
    let time: Duration
    let event: @Sendable (TaskDelegate) -> TaskRun.Event?
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

/// An answer that may be there before anybody waits for it.
private enum EarlyAnswer<Answer> {
    case open
    case given(Answer)
    /// It is waited for elsewhere.
    case late

    /// Gives the answer; false if it is waited for elsewhere.
    mutating func give(_ answer: Answer) -> Bool {
        if case .late = self { return false }
        self = .given(answer)
        return true
    }

    var given: Answer? { if case .given(let answer) = self { answer } else { nil } }

    /// The answer; without one it is waited for elsewhere from now on.
    mutating func take() -> Answer? {
        defer { if case .open = self { self = .late } }
        return given
    }
}

/// A hook that has been asked, and its time limit.
final class HookQuestion: Sendable {
    private struct State {
        var answering: Task<Void, Never>?
        var timer: (any SessionTimer)?
        var startTimer: (@Sendable () -> any SessionTimer)?
        var hasEnded = false
    }

    private let state = Locked(State())

    /// Begins the time limit of a question that the Swift task answers.
    func begin(
        _ answering: Task<Void, Never>?, timer startTimer: (@Sendable () -> any SessionTimer)?
    ) {
        let hasEnded = state.withLock { state in
            (state.answering, state.startTimer) = (answering, startTimer)
            return state.hasEnded
        }
        if hasEnded { return end() }
        renewLimit()
    }

    /// Begins the time limit anew.
    func renewLimit() {
        guard let timer = state.withLock({ $0.startTimer })?() else { return }
        let unwanted = state.withLock { state in
            guard !state.hasEnded else { return timer as (any SessionTimer)? }
            defer { state.timer = timer }
            return state.timer
        }
        unwanted?.cancel()
    }

    /// Cancels what is still under way.
    func end() {
        let former = state.withLock { state in
            state.hasEnded = true
            defer { (state.answering, state.timer, state.startTimer) = (nil, nil, nil) }
            return (state.answering, state.timer)
        }
        former.0?.cancel()
        former.1?.cancel()
    }
}
