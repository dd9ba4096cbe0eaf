import BluebonnetTransport
import Foundation
import FoundationNetworking

/// Runs the adapters of an attempt, and asks the retriers whether another attempt follows.
struct InterceptionStage: TaskStage {
    let delegate: TaskDelegate

    init(_ delegate: TaskDelegate) {
        self.delegate = delegate
    }

    // MARK: Adapting

    /// Starts the adapters of an attempt, and returns the next event.
    ///
    /// Returns nil if the task has no interceptors.
    ///
    /// - Throws: An error if the task has interceptors but its manager is not an
    ///   ``HTTPSessionManager``.
    func adapt(
        _ request: URLRequest, forAttempt number: Int
    ) throws(BluebonnetError) -> TaskRun.Event? {
        let added = state.withLock { $0.addedInterceptors }
        guard let interceptors = delegate.setup.interceptors?.adding(added) ?? added else {
            return nil
        }
        guard let session = manager as? HTTPSessionManager else {
            throw .invalidRequest(
                "its interceptors need an HTTPSessionManager; create the task with one",
                .init(request: request))
        }
        let interception = AttemptInterception(
            interceptors.all, session: session, request: delegate.handle, attempt: number)
        let download = state.withLock { state in
            state.attempt.interception = interception
            return state.download
        }
        var request = request
        if let download { DownloadContinuation(delegate, download).ask(for: &request) }
        let (question, scope) = (HookQuestion(), interceptors.scope)
        let limit = delegate.interceptorLimit { [request] in
            .failed(
                .adaptation(
                    "the adapter \(interception.currentName) did not answer within \($0) seconds; make it answer "
                        + "sooner, or raise interceptorTimeout", .init(request: request)))
        }
        let answer = delegate.askAtOnce(question, limit) { [request] in
            await scope.run { await interception.adapt(request, question) }
        } then: { [request] delegate, result in
            InterceptionStage(delegate).wasAdapted(result, request)
        }
        return answer.map { wasAdapted($0, request) } ?? .adapting
    }

    private func wasAdapted(
        _ result: Result<URLRequest, AttemptInterception.Failure>, _ request: URLRequest
    ) -> TaskRun.Event {
        do {
            let request = try result.get()
            let download = state.withLock { state in
                state.attempt.request = request
                return state.download
            }
            if let download, DownloadContinuation(delegate, download).startsOver(with: request) {
                return .startOver(DownloadContinuation.restOfAnother)
            }
            let event = try delegate.prepared(request)
            if case .outcome(let other)? = state.withLock({ $0.attempt.answer }) {
                return SharedOutcomeStage(delegate).wait(for: other)
            }
            return event
        } catch let failure as AttemptInterception.Failure {
            let context = BluebonnetError.Context(request: request, underlying: failure.error)
            return .failed(.adaptation("\(failure.name): \(failure.error)", context))
        } catch {
            return .failed(
                error as? BluebonnetError ?? .adaptation("\(error)", .init(underlying: error)))
        }
    }

    // MARK: The end of an attempt

    /// Notifies the interceptors that have started, once, that the attempt has ended.
    func end(_ interception: AttemptInterception, _ error: BluebonnetError?) {
        let ended = state.withLock { state in
            // Released with the attempt, because the interception retains the manager.
            state.attempt.interception = nil
            return EndedAttempt(
                request: interception.request, number: state.run.attempt,
                urlRequest: state.attempt.request, head: state.exchange.head, error: error,
                interception: interception)
        }
        guard let tell = interception.end(ended) else { return }
        Task(executorPreference: session.work.clock?.taskExecutor) { tell() }
    }

    // MARK: Retrying

    /// Returns the error to ask retriers about although the task accepts the response, or nil.
    func doubt() -> BluebonnetError? {
        let head = state.withLock { state in
            state.attempt.interception != nil && state.mayRetry ? state.exchange.head : nil
        }
        return head.flatMap { doubt($0) }
    }

    /// Returns the same error for a head that has not been delivered to its reader yet.
    func doubt(_ head: ResponseHead) -> BluebonnetError? {
        guard head.statusCode >= 400, state.withLock({ $0.attempt.interception != nil }) else {
            return nil
        }
        var context = BluebonnetError.Context()
        context.acceptableStatusCodes = .successStatusCodes
        return .unacceptableStatus(head.statusCode, context)
    }

    /// Asks the retriers whether another attempt follows.
    func askRetriers(about error: BluebonnetError) -> TaskRun.Event? {
        guard let attempt = state.withLock({ $0.failAttempt(error, in: session) }) else {
            return .giveUp(nil)
        }
        let maximum = session.configuration.maximumAttempts
        guard attempt.number < maximum else {
            guard maximum > 1, !state.withLock({ $0.isAccepted }) else { return .giveUp(nil) }
            var error = attempt.error
            error.context.retryNote = "no attempt is left, because maximumAttempts is \(maximum)"
            return .giveUp(error)
        }
        let (interception, error) = (attempt.interception, attempt.error)
        let question = HookQuestion()
        let current = Locked(0)
        let limit = delegate.interceptorLimit {
            let name = interception.name(of: current.withLock { $0 })
            return .giveUp(
                .retry(
                    "\(name) did not answer within \($0) seconds; make it answer sooner, or raise "
                        + "interceptorTimeout", .init()))
        }
        // A stream's attempt has not ended yet. It continues unless a retry follows.
        let tellOfEnd = attempt.isOver ? interception.end(attempt.ended) : nil
        delegate.ask(question, limit) {
            tellOfEnd?()
            for (index, retrier) in interception.interceptors.enumerated() {
                current.withLock { $0 = index }
                if index > 0 { question.renewLimit() }
                let result = await retrier.retry(
                    interception.request, for: interception.session, dueTo: error)
                if case .doNotRetry = result { continue }
                return (result, interception.name(of: index))
            }
            return (RetryResult.doNotRetry, "")
        } then: { delegate, answer in
            InterceptionStage(delegate).retriersAnswered(answer.0, answer.1, error)
        }
        return nil
    }

    private func retriersAnswered(
        _ result: RetryResult, _ name: String, _ error: BluebonnetError
    ) -> TaskRun.Event? {
        switch result {
        case .doNotRetry:
            let refusal = state.withLock { $0.isAccepted ? nil : $0.attempt.retryRefusal }
            return .giveUp(refusal.map { error.unretried(because: $0) })
        case .doNotRetryWithError(let cause):
            return .giveUp(.retry("\(name): \(cause)", .init(underlying: cause)))
        case .retry: return retry(after: 0, error)
        case .retryWithDelay(let seconds): return retry(after: seconds, error)
        }
    }

    private func retry(after seconds: TimeInterval, _ error: BluebonnetError) -> TaskRun.Event? {
        let delay = Duration(delayInSeconds: seconds)
        let (deadline, hasSpentBody, isAccepted) = state.withLock {
            ($0.deadlineTime, $0.hasSpentBody, $0.isAccepted)
        }
        if let deadline, session.clock.now + delay >= deadline {
            let reason =
                "the delay of \(delay / .seconds(1)) seconds would end after the task's deadline"
            return .giveUp(isAccepted ? nil : error.unretried(because: reason))
        }
        guard hasSpentBody else { return wait(delay, error) }
        return askForBody {
            guard let factory = $1 else { return .giveUp(nil) }
            $0.state.withLock { $0.bodyFactory = factory }
            return InterceptionStage($0).wait(delay, error)
        }
    }

    /// Asks the hook for a body that can be sent again.
    private func askForBody(
        then answer: @escaping @Sendable (TaskDelegate, BodyStreamFactory?) -> TaskRun.Event?
    ) -> TaskRun.Event? {
        guard delegate.hasOwnStream else { return .giveUp(nil) }
        return FailureStage(delegate).askForBodyStream(then: answer)
    }

    /// Begins the next attempt after a delay.
    private func wait(_ delay: Duration, _ error: BluebonnetError) -> TaskRun.Event? {
        delegate.endAttempt(.failure(error))
        state.withLock { $0.attempt.isRetried = true }
        delegate.emit(.willRetry(after: delay / .seconds(1), error))
        if let download = state.withLock({ $0.download }) {
            DownloadContinuation(delegate, download).keep {
                InterceptionStage($0).begin(after: delay)
            }
            return nil
        }
        return begin(after: delay)
    }

    private func begin(after delay: Duration) -> TaskRun.Event? {
        guard delay > .zero else { return .retry }
        delegate.wait(QuestionLimit(time: delay) { _ in .retry })
        return nil
    }
}

extension TaskState {
    /// Records the error of an attempt, and returns nil if no retrier is asked about it.
    fileprivate mutating func failAttempt(
        _ error: BluebonnetError, in session: SessionCore
    ) -> FailedAttempt? {
        guard let interception = attempt.interception, mayRetry,
            let error = self.error(of: .failure(error), in: session)
        else { return nil }
        attempt.error = error
        let ended = EndedAttempt(
            request: interception.request, number: run.attempt, urlRequest: attempt.request,
            head: exchange.head, error: isAccepted ? nil : error, interception: interception)
        var isOver = true
        if case .retrying(nil) = run.stage { isOver = false }
        return FailedAttempt(
            number: run.attempt, error: error, isOver: isOver, interception: interception,
            ended: ended)
    }

    /// Whether the task accepts the response if no other attempt follows.
    fileprivate var isAccepted: Bool {
        if case .retrying(.failure) = run.stage { false } else { true }
    }

    /// Whether a retry is possible.
    ///
    /// A stream cannot be retried once its reader has received the head.
    fileprivate var mayRetry: Bool {
        if case .stream = flow { !exchange.isFlowing } else { true }
    }
}

/// An attempt that failed, or whose response has an error status.
private struct FailedAttempt {
    let number: Int
    let error: BluebonnetError
    /// Whether the attempt has ended.
    ///
    /// A stream's attempt has not, because it continues unless a retry follows.
    let isOver: Bool
    let interception: AttemptInterception
    let ended: EndedAttempt
}

extension BluebonnetError {
    /// Returns the error of an attempt with the reason why it is not retried.
    fileprivate func unretried(because reason: String) -> Self {
        var error = self
        error.context.retryNote = "it was not retried, because \(reason)"
        return error
    }
}

extension SessionTask {
    /// Adds an interceptor after those of the manager and of the call.
    ///
    /// An interceptor added before the first ``resume()`` applies to all attempts. One added later
    /// applies from the next attempt on. A task of a ``SessionManager`` that is not an
    /// ``HTTPSessionManager`` fails with ``BluebonnetError/invalidRequest(_:_:)``.
    ///
    /// - Parameter interceptor: Adapts and retries the task.
    public func addInterceptor(_ interceptor: any RequestInterceptor) {
        let added = TaskInterceptors([interceptor])
        delegate.state.withLock { state in
            state.addedInterceptors = state.addedInterceptors?.adding(added) ?? added
        }
    }
}
