import BluebonnetTransport
import Foundation
import FoundationNetworking

// The end of a task, on the callback queue.
extension TaskDelegate {
    /// Ends the attempt, and moves, keeps or removes the file of a download.
    func settle(_ outcome: TaskRun.Outcome) -> TaskRun.Event? {
        let (question, download) = state.withLock { ($0.question.take(), $0.download) }
        question?.end()
        noteWork()
        endAttempt(outcome)
        return download.map { DownloadStage(self, $0).settle(outcome) } ?? .settled(nil)
    }

    /// Ends the current attempt, if there is one, and reports its end.
    func endAttempt(_ outcome: TaskRun.Outcome) {
        let (isUnderWay, interception) = state.withLock {
            ($0.endAttempt(), $0.attempt.interception)
        }
        guard isUnderWay, interception != nil || isHeard(.endedAttempt) else { return }
        let error = state.withLock { $0.error(of: outcome, in: session) }
        if let interception { InterceptionStage(self).end(interception, error) }
        if isHeard(.endedAttempt) { emit(.endedAttempt(error)) }
    }

    func commit() -> TaskRun.Event? {
        let download = state.withLock { $0.download }
        return download.map { DownloadStage(self, $0).moveFile() } ?? .settled(nil)
    }

    /// Ends the task; no other method does.
    ///
    /// The delegate, which has the error by then, leaves the map. After that the events are
    /// reported, and the task's queue is released.
    func finish() -> TaskRun.Event? {
        let (isAwaited, deadline, handlers) = state.withLock { state in
            (!state.resumeDataHandlers.isEmpty, state.deadline, state.takeRequestHandlers())
        }
        deadline?.cancel()
        // No request is built any more.
        for tell in handlers?.awaiting ?? [] { tell() }
        let (isSessionDone, isSessionEnding) = session.map.withLock { map in
            map.remove(self)
            return (map.reportInvalidation(), map.isInvalidated)
        }
        if isHeard(.collectedMetrics), let metrics { emit(.collectedMetrics(metrics)) }
        if isHeard(.completed) { emit(.completed(error)) }
        // Kept alive here, because the delivery releases the task's own reference.
        let lastManager = isSessionDone ? manager : nil
        if isSessionEnding { setup.pools.closeSoon() }
        if isAwaited { giveResumeData() }
        releaseQueue()
        lastManager?.sessionIsInvalid()
        return nil
    }

    /// The redactor for the secrets that the task sent, whether the request can be sent again, and
    /// the number of the last attempt.
    var errorContext: (sent: Redactor, isRepeatable: Bool?, attempt: Int?) {
        state.withLock { ($0.redactor(of: session), $0.isRepeatable, $0.run.attempt) }
    }

    /// Calls the handlers that wait for the resume data of a canceled download.
    private func giveResumeData() {
        let (handlers, data) = state.withLock { state in
            defer { state.resumeDataHandlers = [] }
            return (state.resumeDataHandlers, state.error?.resumeData)
        }
        for handler in handlers { handler(data) }
    }
}

extension TaskState {
    /// Ends the current attempt, and returns false if there is none.
    fileprivate mutating func endAttempt() -> Bool {
        defer { attempt.hasEnded = true }
        return run.attempt > 0 && !attempt.hasEnded
    }

    /// Records the error of an outcome.
    mutating func noteEnd(_ outcome: TaskRun.Outcome, in session: SessionCore) {
        error = error(of: outcome, in: session)
    }

    /// Returns the error of an outcome, with the current state of the task; nil for success.
    mutating func error(
        of outcome: TaskRun.Outcome, in session: SessionCore
    ) -> BluebonnetError? {
        var cause: BluebonnetError
        switch outcome {
        case .success: return nil
        case .failure(let error): cause = error
        case .cancelled:
            var context = BluebonnetError.Context()
            context.cancellation = cancellation
            cause = .cancelled(context)
        }
        // The error already redacts the other task's secrets, and this task has sent nothing.
        if case .outcome? = attempt.answer, cause.context.sent != nil { return cause }
        addAttemptError(to: &cause)
        if exchange.isEndMissing { cause.addMissingEnd() }
        return inContext(cause, of: session)
    }

    /// Adds the error that retriers were asked about, if the task ends for another reason.
    private func addAttemptError(to cause: inout BluebonnetError) {
        guard let error = attempt.error else { return }
        switch cause {
        case .cancelled, .retry: break
        case .transport(let failure, _) where failure.timeout == .whole: break
        default: return
        }
        cause.context.attemptError = error
        cause.context.underlying = cause.context.underlying ?? error
    }

    /// Returns the error with the current state of the task.
    private mutating func inContext(
        _ error: BluebonnetError, of session: SessionCore
    ) -> BluebonnetError {
        var error = error
        error.context.request = error.context.request ?? attempt.request
        error.context.head = error.context.head ?? exchange.head
        error.context.data =
            error.context.data
            ?? (exchange.head == nil ? nil : exchange.body.joined())
        error.context.resumeData = download?.resumeData
        error.context.isRepeatable = isRepeatable
        error.context.attempt = run.attempt
        error.context.sent = redactor(of: session)
        // The underlying error is about the same response, unless it is another task's.
        if let underlying = error.context.underlying as? BluebonnetError,
            underlying.context.sent == nil
        {
            error.context.underlying = inContext(underlying, of: session)
        }
        return error
    }

    /// Returns the redactor for the secrets that were sent so far.
    func redactor(of session: SessionCore) -> Redactor {
        let route = options?.values.route ?? session.configuration.route
        return Redactor(
            sent: formerlySent + [exchange.sent].compactMap(\.self),
            credentials: formerCredentials + (attempt.authentication?.credentials ?? []),
            proxies: [route.httpProxy, route.httpsProxy].compactMap(\.self),
            furtherNames: session.configuration.headersBoundToOrigin
        )
    }
}

extension BluebonnetError {
    /// Adds to the error that the transport did not report the end of its exchange.
    fileprivate mutating func addMissingEnd() {
        context.underlying = BluebonnetError.transport(.endIsMissing, .init())
        guard case .transport(var failure, let context) = self else { return }
        failure.message += "; " + Exchange.Failure.endIsMissing.message
        self = .transport(failure, context)
    }
}
