import BluebonnetTransport
import Foundation
import FoundationNetworking

/// Runs the adapters of an attempt, and asks the retriers whether another attempt follows.
struct InterceptionStage: TaskStage {
    let delegate: TaskDelegate

    // MARK: Adapting

    /// Starts the adapters of an attempt, and returns the next event.
    ///
    /// Returns nil if the task has no interceptors.
    ///
    /// - Throws: An error if the task has interceptors but its manager is not an
    ///   ``HTTPSessionManager``.
    func adapt(
        _ request: URLRequest, _ initial: URLRequest, _ preparation: Preparation
    ) throws(BluebonnetError) -> TaskRun.Event? {
        let added = preparation.addedInterceptors
        guard let interceptors = delegate.setup.interceptors?.adding(added) ?? added else {
            return nil
        }
        guard let session = preparation.manager as? HTTPSessionManager else {
            throw .invalidRequest(
                "its interceptors need an HTTPSessionManager; create the task with one",
                .init(request: request))
        }
        // Read before, because it can make the handle.
        let handle = delegate.handle
        let (interception, former) = state.withLock { state in
            let former = state.beginAttempt(request, made: initial)
            let interception = AttemptInterception(
                interceptors.all, session: session, request: handle,
                attempt: preparation.attempt, context: preparation.context)
            state.attempt.rare.interception = interception
            if preparation.attempt == 1 { state.held?.context = preparation.context }
            return (interception, former)
        }
        withExtendedLifetime(former) {}
        let (question, scope) = (HookQuestion(), interceptors.scope)
        let limit = QuestionStage(delegate).interceptorLimit {
            .failed(
                .adaptation(
                    "the adapter \(interception.currentName) did not answer within \($0) seconds; make it answer "
                        + "sooner, or raise interceptorTimeout", .init(request: request)))
        }
        let answer = QuestionStage(delegate).askAtOnce(question, limit, in: preparation.context) {
            await scope.run { await interception.adapt(request, question) }
        } then: { delegate, result in
            InterceptionStage(delegate).wasAdapted(result, request, initial, preparation)
        }
        return answer.map { wasAdapted($0, request, initial, preparation) } ?? .adapting
    }

    private func wasAdapted(
        _ result: Result<URLRequest, AttemptInterception.Failure>, _ request: URLRequest,
        _ initial: URLRequest, _ preparation: Preparation
    ) -> TaskRun.Event {
        do {
            let adapted = try result.get()
            // The bytes that are missing from a file of another request are not its own.
            if let target = preparation.download?.state.attemptTarget,
                adapted.url?.withoutQuery != target || adapted.httpMethod ?? "GET" != "GET"
            {
                return .startOver(.restOfAnother)
            }
            return .prepared(
                try PreparationStage(delegate).prepared(
                    adapted, initial, preparation, beginsAttempt: false))
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
    func end(_ ended: EndedAttempt) {
        guard let tell = ended.interception?.end(ended) else { return }
        let executor = session.work.clock?.taskExecutor
        CallerContext.run(in: ended.interception?.context) {
            Task(executorPreference: executor) { tell() }
        }
    }

    // MARK: Retrying

    /// Asks the retriers whether another attempt follows.
    func askRetriers(_ attempt: FailedAttempt) -> TaskRun.Event? {
        let maximum = session.configuration.maximumAttempts
        guard attempt.number < maximum else {
            guard maximum > 1, !attempt.isAccepted else { return .giveUp(nil) }
            var error = attempt.error
            error.context.retryNote = "no attempt is left, because maximumAttempts is \(maximum)"
            return .giveUp(error)
        }
        let (interception, error) = (attempt.interception, attempt.error)
        let question = HookQuestion()
        let current = Locked(0)
        let limit = QuestionStage(delegate).interceptorLimit {
            let name = interception.name(of: current.withLock { $0 })
            return .giveUp(
                .retry(
                    "\(name) did not answer within \($0) seconds; make it answer sooner, or raise "
                        + "interceptorTimeout", .init()))
        }
        // A stream's attempt has not ended yet. It continues unless a retry follows.
        let tellOfEnd = attempt.isOver ? interception.end(attempt.ended) : nil
        QuestionStage(delegate).ask(question, limit, in: interception.context) {
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
            InterceptionStage(delegate).retriersAnswered(answer.0, answer.1, attempt)
        }
        return nil
    }

    private func retriersAnswered(
        _ result: RetryResult, _ name: String, _ attempt: FailedAttempt
    ) -> TaskRun.Event? {
        switch result {
        case .doNotRetry:
            let refusal = attempt.isAccepted ? nil : state.withLock { $0.attempt.rare.retryRefusal }
            return .giveUp(refusal.map { attempt.error.unretried(because: $0) })
        case .doNotRetryWithError(let cause):
            return .giveUp(.retry("\(name): \(cause)", .init(underlying: cause)))
        case .retry: return retry(after: 0, attempt)
        case .retryWithDelay(let seconds): return retry(after: seconds, attempt)
        }
    }

    private func retry(after seconds: TimeInterval, _ attempt: FailedAttempt) -> TaskRun.Event? {
        let delay = Duration(delayInSeconds: seconds)
        if let deadline = attempt.deadline, session.clock.now + delay >= deadline {
            let reason =
                "the delay of \(delay / .seconds(1)) seconds would end after the task's deadline"
            return .giveUp(attempt.isAccepted ? nil : attempt.error.unretried(because: reason))
        }
        guard attempt.hasSpentBody else { return .retry(after: delay) }
        guard delegate.hasOwnStream else { return .giveUp(nil) }
        return FailureStage(delegate).askForBodyStream {
            guard let factory = $1 else { return .giveUp(nil) }
            $0.state.withLock { $0.rare.bodyFactory = factory }
            return .retry(after: delay)
        }
    }
}

extension TaskState {
    /// Returns the work of asking retriers about an attempt.
    mutating func asking(about doubted: TaskRun.Doubted, _ delegate: TaskDelegate) -> TaskWork {
        guard let interception = attempt.interception,
            let error = error(of: .failure(doubted.error), in: delegate.session)
        else { return .none }
        attempt.rare.error = error
        let isFailure = if case .failure = doubted { true } else { false }
        let isHead = if case .head = doubted { true } else { false }
        let ended = EndedAttempt(
            request: interception.request, number: run.attempt, urlRequest: attempt.request,
            head: exchange.head, error: isFailure ? error : nil, interception: interception)
        return .askRetriers(
            FailedAttempt(
                number: run.attempt, error: error, isAccepted: !isFailure, isOver: !isHead,
                deadline: rare.deadlineTime, hasSpentBody: hasSpentBody,
                interception: interception, ended: ended))
    }
}

/// An attempt that failed, or whose response has an error status.
struct FailedAttempt {
    let number: Int
    let error: BluebonnetError
    /// Whether the task accepts the response if no other attempt follows.
    let isAccepted: Bool
    /// Whether the attempt has ended.
    ///
    /// A stream's attempt has not, because it continues unless a retry follows.
    let isOver: Bool
    /// The deadline on the session's clock; nil without one.
    let deadline: Duration?
    /// Whether the attempt has read a body that can be read only once.
    let hasSpentBody: Bool
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
            state.rare.addedInterceptors = state.rare.addedInterceptors?.adding(added) ?? added
        }
    }
}
