import BluebonnetTransport
import Foundation

// The end of a task, on the callback queue.
extension StepStage {
    /// Ends the task; no other method does.
    ///
    /// The delegate, which has the error by then, leaves the map. After that the events are
    /// reported, and the task's queue is released.
    func finish(_ ending: consuming TaskEnding) {
        ending.deadline?.cancel()
        // No request is built any more.
        for tell in ending.awaitingRequest { tell() }
        let isSessionDone = session.map.withLock { map in
            map.remove(delegate)
            return map.reportEnd(of: session)
        }
        if let metrics = ending.metrics { delegate.emit(.collectedMetrics(metrics)) }
        if delegate.isHeard(.completed) { delegate.emit(.completed(ending.error)) }
        // Kept alive here, because the delivery releases the task's own reference.
        let lastManager = isSessionDone ? manager : nil
        if session.isInvalidated { delegate.setup.pools.closeSoon() }
        for handler in ending.resumeDataHandlers { handler(ending.error?.resumeData) }
        let due = ending.delivery
        _ = consume ending
        DeliveryStage(delegate).begin(consume due)
        lastManager?.sessionIsInvalid()
    }
}

extension TaskDelegate {
    /// The redactor for the secrets that the task sent, whether the request can be sent again, and
    /// the number of the last attempt.
    package var errorContext: (sent: TaskRedactor, isRepeatable: Bool?, attempt: Int?) {
        state.withLock { ($0.redactor(of: session), $0.isRepeatable, $0.run.attempt) }
    }
}

/// What a task leaves to do when it has ended.
struct TaskEnding {
    let error: BluebonnetError?
    /// The measurements, if anyone wants them.
    let metrics: TaskMetrics?
    let deadline: (any SessionTimer)?
    let awaitingRequest: [@Sendable () -> Void]
    let resumeDataHandlers: [@Sendable (Data?) -> Void]
    let delivery: DueDelivery
}

extension TaskState {
    mutating func ending(of delegate: TaskDelegate) -> TaskEnding {
        let metrics = delegate.isHeard(.collectedMetrics) ? metrics : nil
        guard !isRareInitial else {
            return TaskEnding(
                error: error, metrics: metrics, deadline: nil, awaitingRequest: [],
                resumeDataHandlers: [], delivery: dueDelivery)
        }
        defer { rare.resumeDataHandlers = [] }
        return TaskEnding(
            error: error, metrics: metrics, deadline: rare.deadline,
            awaitingRequest: takeRequestHandlers(for: nil),
            resumeDataHandlers: rare.resumeDataHandlers, delivery: dueDelivery)
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
            context.cancellation = rare.cancellation
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
        guard let error = attempt.rare.error else { return }
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
        if error.context.data == nil {
            error.context.data = exchange.reception.joinedBody()
            error.context.isDataCut = exchange.reception.isCut
        }
        error.context.resumeData = rare.download?.resumeData
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
    func redactor(of session: SessionCore) -> TaskRedactor {
        let route = options?.values.route ?? session.configuration.route
        return TaskRedactor(
            sent: rare.formerlySent + [exchange.sent].compactMap(\.self),
            credentials: rare.formerCredentials + (attempt.authentication?.credentials ?? []),
            proxies: [route.httpProxy, route.httpsProxy].compactMap(\.self),
            furtherNames: session.configuration.headersBoundToOrigin.union(
                session.configuration.redactor?.furtherNames ?? []),
            further: session.configuration.redactor
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
