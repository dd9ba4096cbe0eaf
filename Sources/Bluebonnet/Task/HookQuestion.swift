import BluebonnetTransport
import Foundation
import FoundationNetworking

// Questions to hooks that answer asynchronously.
extension TaskDelegate {
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
        noteWork()
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
        noteWork()
        return nil
    }

    /// Returns a closure that sends an answer to the callback queue, and continues with its result.
    private func deliverer<Answer: Sendable>(
        of asked: HookQuestion,
        then tell: @escaping @Sendable (TaskDelegate, Answer) -> TaskRun.Event?
    ) -> @Sendable (Answer) -> Void {
        let (session, address) = (session, address)
        return { answer in
            let deliver: @Sendable (TaskDelegate) -> Void = { delegate in
                guard delegate.takesAnswer(to: asked) else { return }
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
        noteWork()
    }

    /// Returns a closure that starts the time limit of a question.
    private func timer(
        of asked: HookQuestion, _ limit: QuestionLimit
    ) -> @Sendable () -> any SessionTimer {
        let (session, address) = (session, address)
        let giveUp: @Sendable (TaskDelegate) -> Void = { delegate in
            guard delegate.takesAnswer(to: asked) else { return }
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
            noteWork()
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

/// A question that a hook is being asked, and its time limit.
final class HookQuestion: Sendable {
    private struct State {
        var answering: Task<Void, Never>?
        var timer: (any SessionTimer)?
        var startTimer: (@Sendable () -> any SessionTimer)?
        var isPaused = false
        var hasEnded = false
    }

    private let state = Locked(State())

    /// Begins the time limit of a question that a Swift task answers.
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

    /// Restarts the time limit.
    func renewLimit() {
        guard let timer = state.withLock({ $0.isPaused ? nil : $0.startTimer })?() else { return }
        let unwanted = state.withLock { state in
            guard !state.hasEnded, !state.isPaused else { return timer as (any SessionTimer)? }
            defer { state.timer = timer }
            return state.timer
        }
        unwanted?.cancel()
    }

    /// Stops the time limit, also one that has not begun yet.
    func pauseLimit() {
        let timer = state.withLock { state in
            state.isPaused = true
            return state.timer.take()
        }
        timer?.cancel()
    }

    /// Begins the time limit anew after a pause.
    func resumeLimit() {
        state.withLock { $0.isPaused = false }
        renewLimit()
    }

    /// Cancels the Swift task and the timer.
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
