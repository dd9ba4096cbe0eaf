import BluebonnetTransport
import Foundation
import FoundationNetworking

/// Asks hooks that answer asynchronously, adapters of the first attempt on the thread that resumes
/// the task.
struct QuestionStage: TaskStage {
    let delegate: TaskDelegate

    /// Asks a question in a Swift task, and continues on the callback queue.
    ///
    /// If the task ends or expires first, the hook's Swift task is canceled and its answer is
    /// ignored. With a context, the hook has its task-local values and its priority.
    func ask<Answer: Sendable>(
        _ asked: HookQuestion = HookQuestion(),
        _ limit: QuestionLimit? = nil,
        in context: CallerContext? = nil,
        _ question: @escaping @Sendable () async -> Answer,
        then tell: @escaping @Sendable (TaskDelegate, Answer) -> TaskRun.Event?
    ) {
        let deliver = deliverer(of: asked, then: tell)
        state.withLock { $0.question = asked }
        let startTimer = limit.map { timer(of: asked, $0) }
        let executor = session.work.clock?.taskExecutor
        CallerContext.run(in: context) {
            asked.begin(
                Task(executorPreference: executor) { deliver(await question()) },
                timer: startTimer)
        }
        delegate.noteWork()
    }

    /// Asks a question on the current thread, and returns the answer if the hook does not suspend.
    ///
    /// If the hook suspends, the method returns nil and the answer arrives as with
    /// ``ask(_:_:in:_:then:)``. That also applies on the callback queue, or if a clock observes work.
    func askAtOnce<Answer: Sendable>(
        _ asked: HookQuestion,
        _ limit: QuestionLimit?,
        in context: CallerContext?,
        _ question: @escaping @Sendable () async -> Answer,
        then tell: @escaping @Sendable (TaskDelegate, Answer) -> TaskRun.Event?
    ) -> Answer? {
        guard session.work.clock == nil, !session.callbacks.isCurrent else {
            ask(asked, limit, in: context, question, then: tell)
            return nil
        }
        let deliver = deliverer(of: asked, then: tell)
        let early = Locked(EarlyAnswer<Answer>.open)
        let answering = Task.immediate {
            let answer = await question()
            if !early.withLock({ $0.give(answer) }) { deliver(answer) }
        }
        if let answer = early.withLock({ $0.given }) { return answer }
        // Set first, or an answer that arrives at once would find no question.
        state.withLock { $0.question = asked }
        if let answer = early.withLock({ $0.take() }) {
            state.withLock { $0.question = nil }
            return answer
        }
        asked.begin(answering, timer: limit.map { timer(of: asked, $0) })
        delegate.noteWork()
        return nil
    }

    /// Returns a closure that sends an answer to the callback queue, and continues with its result.
    private func deliverer<Answer: Sendable>(
        of asked: HookQuestion,
        then tell: @escaping @Sendable (TaskDelegate, Answer) -> TaskRun.Event?
    ) -> @Sendable (Answer) -> Void {
        let (session, address) = (session, delegate.address)
        return { answer in
            let deliver: @Sendable (TaskDelegate) -> Void = { delegate in
                guard QuestionStage(delegate).takesAnswer(to: asked) else { return }
                if let event = tell(delegate, answer) { delegate.take(event) }
            }
            session.send(.answer(deliver), to: address)
        }
    }

    /// Waits for a time limit to pass, unless the task ends first.
    func wait(_ limit: QuestionLimit) {
        let waiting = HookQuestion()
        state.withLock { $0.question = waiting }
        waiting.begin(nil, timer: timer(of: waiting, limit))
        delegate.noteWork()
    }

    /// Returns a closure that starts the time limit of a question.
    private func timer(
        of asked: HookQuestion, _ limit: QuestionLimit
    ) -> @Sendable () -> any SessionTimer {
        let (session, address) = (session, delegate.address)
        let giveUp: @Sendable (TaskDelegate) -> Void = { delegate in
            guard QuestionStage(delegate).takesAnswer(to: asked) else { return }
            if let event = limit.event(delegate) { delegate.take(event) }
        }
        return {
            session.clock.schedule(after: limit.time) {
                session.send(.answer(giveUp), to: address)
            }
        }
    }

    /// The time limit for answering a challenge; nil for no limit.
    var challengeLimit: QuestionLimit? {
        ExchangeBuilder.usable(session.configuration.challengeTimeout).map { seconds in
            QuestionLimit(time: Duration(delayInSeconds: seconds)) { _ in
                .failed(.transport(.unanswered(within: seconds), .init()))
            }
        }
    }

    /// Returns the time limit for an interceptor, with the event that follows it; nil for no limit.
    func interceptorLimit(
        _ event: @escaping @Sendable (_ seconds: TimeInterval) -> TaskRun.Event
    ) -> QuestionLimit? {
        ExchangeBuilder.usable(session.configuration.interceptorTimeout).map { seconds in
            QuestionLimit(time: Duration(delayInSeconds: seconds)) { _ in event(seconds) }
        }
    }

    /// Closes a question, and returns whether it was still open.
    private func takesAnswer(to asked: HookQuestion) -> Bool {
        let isOpen = state.withLock { state in
            guard state.question === asked else { return false }
            state.question = nil
            return true
        }
        if isOpen {
            delegate.noteWork()
            asked.end()
        }
        return isOpen
    }
}

/// The time limit of a question, and the event that follows it.
struct QuestionLimit: Sendable {
    let time: Duration
    let event: @Sendable (TaskDelegate) -> TaskRun.Event?
}

extension Exchange.Failure {
    fileprivate static func unanswered(within seconds: TimeInterval) -> Self {
        Self(
            .timedOut,
            message: """
                didReceiveChallenge did not answer within \(seconds) seconds; answer sooner, or \
                raise challengeTimeout
                """,
            timeout: .challenge
        )
    }
}

/// An answer that can be given before the asking thread looks for it.
private enum EarlyAnswer<Answer> {
    case open
    case given(Answer)
    /// The asking thread has stopped looking, so the answer is delivered to the callback queue.
    case late

    /// Stores the answer, or returns false if it has to be delivered to the callback queue.
    mutating func give(_ answer: Answer) -> Bool {
        if case .late = self { return false }
        self = .given(answer)
        return true
    }

    var given: Answer? { if case .given(let answer) = self { answer } else { nil } }

    /// Returns the answer; without one, it has to be delivered to the callback queue.
    mutating func take() -> Answer? {
        defer { if case .open = self { self = .late } }
        return given
    }
}
