import BluebonnetTransport
import Foundation
import FoundationNetworking

// The end of a task, on the callback queue.
extension TaskDelegate {
    /// What the task's response is judged to be, body and head; nil for a good one.
    func judgement() -> BluebonnetError? {
        state.withLock { $0.exchange.lackOfMemory() ?? $0.exchange.relevantVerdict }
    }

    /// Puts what the task leaves in its place.
    func settle(_ outcome: TaskRun.Outcome) -> TaskRun.Event? {
        let (question, download) = state.withLock { ($0.question.take(), $0.download) }
        question?.end()
        return download.map { DownloadStage(self, $0).settle(outcome) } ?? .settled(nil)
    }

    func commit() -> TaskRun.Event? {
        let download = state.withLock { $0.download }
        return download.map { DownloadStage(self, $0).moveFile() } ?? .settled(nil)
    }

    /// Ends the task: the only place where one does.
    ///
    /// In this order: the delegate, which knows the error by then, leaves the map, the manager hears of
    /// it, and the task's queue is released.
    func finish() -> TaskRun.Event? {
        let (isFinishedInNoTime, isAwaited, deadline) = state.withLock { state in
            (state.isFinishedInNoTime, !state.resumeDataHandlers.isEmpty, state.deadline)
        }
        deadline?.cancel()
        let isSessionDone = session.map.withLock { map in
            map.remove(self)
            return map.reportInvalidation()
        }
        if session.activeHooks.contains(anyOf: .completion), let manager, let task {
            if let metrics { manager.taskDidFinishCollectingMetrics(task, metrics: metrics) }
            manager.taskDidComplete(task, error: error)
        }
        // Held on to: with the delivery goes the task's own hold on it.
        let lastManager = isSessionDone ? manager : nil
        if isAwaited { giveResumeData() }
        releaseQueue(inNoTime: isFinishedInNoTime)
        lastManager?.sessionIsInvalid()
        return nil
    }

    /// What hides the secrets that the task has sent.
    var redactor: Redactor { state.withLock { $0.redactor(of: session) } }

    /// Answers who cancelled a download to go on with it later.
    private func giveResumeData() {
        let (handlers, data) = state.withLock { state in
            defer { state.resumeDataHandlers = [] }
            return (state.resumeDataHandlers, state.error?.resumeData)
        }
        for handler in handlers { handler(data) }
    }

    /// Serializes and delivers, then lets what was queued on the task run.
    ///
    /// In no time where nothing is serialized that takes any, so that another thread is a waste.
    private func releaseQueue(inNoTime isFinishedInNoTime: Bool) {
        guard isFinishedInNoTime else {
            // Made now if nobody has asked for it, so that the work is not done on this thread.
            let queue = queue
            state.withLock { $0.isQueueReleased = true }
            return queue.release { [self] in deliver() }
        }
        deliver()
        let queue = state.withLock { state in
            state.isQueueReleased = true
            return state.queue
        }
        queue?.release()
    }

    private func deliver() {
        // The caller's closures go outside the lock: what they hold may use the task as it goes.
        let (delivery, outcome, former) = state.withLock { state in
            let file = state.download?.fileURL
            let outcome = TaskOutcome(
                request: state.attempt.request,
                head: state.exchange.head,
                data: state.exchange.head == nil || file != nil
                    ? nil : state.exchange.body.joined(),
                metrics: state.metrics,
                error: state.error,
                fileURL: file
            )
            let former = (
                state.sending.handler.take(), state.receiving.handler.take(),
                state.attempt.body.take(), state.upload.take()
            )
            return (state.delivery.take(), outcome, former)
        }
        withExtendedLifetime(former) {}
        delivery?.finish(outcome, of: self)
    }

    /// After the handler: the group, the notification, and nothing holds task or manager any more.
    func delivered(_ content: () -> any NotificationContent) {
        setup.group?.leave()
        let content = session.notifications.isNeeded ? content() : nil
        let (former, acts) = state.withLock { state in
            defer { (state.held, state.flow) = (nil, .memory) }
            if let content, let task = state.held?.task {
                let notification = PendingNotification(
                    event: .taskDidComplete, object: task, content: content)
                state.run.effects.append(.post(notification))
            }
            return ((state.held, state.flow), state.run.effects.begin())
        }
        if acts { act() }
        // Let go outside the lock: with the last reference to a manager go its closures, and with
        // that to a download its file, if it has no place.
        withExtendedLifetime(former) {}
        session.undelivered.leave()
    }
}

extension TaskExchange {
    /// What the task fails with when the system has no memory for its body in one piece.
    fileprivate mutating func lackOfMemory() -> BluebonnetError? {
        body.makeRoom() ? nil : .transport(.noMemory(forBodyOf: body.count), .init())
    }

    /// The judgement of the head; a type is nothing to judge when no body came.
    fileprivate var relevantVerdict: BluebonnetError? {
        guard body.count == 0, let verdict else { return verdict }
        switch verdict {
        case .unacceptableContentType: return nil
        case .unacceptableStatus(let code, var context):
            context.underlying = nil
            return .unacceptableStatus(code, context)
        default: return verdict
        }
    }
}

extension TaskState {
    /// Notes how the task ends.
    mutating func noteEnd(_ outcome: TaskRun.Outcome, in session: SessionCore) {
        var cause: BluebonnetError
        switch outcome {
        case .success: return
        case .failure(let error): cause = error
        case .cancelled: cause = .cancelled(.init())
        }
        if exchange.isEndMissing { cause.addMissingEnd() }
        error = inContext(cause, of: session)
    }

    /// Whether nothing is serialized that could take its time.
    fileprivate var isFinishedInNoTime: Bool {
        guard exchange.body.count <= Self.largestBodyInNoTime else { return false }
        return delivery?.serializesInNoTime(exchange.body.count) == true
            || error?.leavesBodyUnread == true
    }

    private static let largestBodyInNoTime = 64 * 1024

    /// The error with what was there when it arose.
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
        error.context.sent = redactor(of: session)
        // Also the error below tells of the same response (AFNetworking, P5).
        if let underlying = error.context.underlying as? BluebonnetError {
            error.context.underlying = inContext(underlying, of: session)
        }
        return error
    }

    /// What hides the secrets that were sent so far.
    func redactor(of session: SessionCore) -> Redactor {
        let route = session.configuration.route
        return Redactor(
            sent: formerlySent + [exchange.sent].compactMap(\.self),
            credentials: attempt.authentication?.credentials ?? [],
            proxies: [route.httpProxy, route.httpsProxy].compactMap(\.self),
            furtherNames: session.configuration.headersBoundToOrigin
        )
    }
}

extension BluebonnetError {
    /// Adds what the transport did, where the task ends without the end of its exchange.
    fileprivate mutating func addMissingEnd() {
        context.underlying = BluebonnetError.transport(.endIsMissing, .init())
        guard case .transport(var failure, let context) = self else { return }
        failure.message += "; " + Exchange.Failure.endIsMissing.message
        self = .transport(failure, context)
    }

    /// Whether no serializer looks at the body of what failed with it.
    fileprivate var leavesBodyUnread: Bool {
        if case .unacceptableStatus = self { false } else { true }
    }
}
