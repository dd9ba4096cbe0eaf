import BluebonnetTransport
import Foundation
import FoundationNetworking

// What the manager forwards, on its callback queue.
extension TaskDelegate {
    func handle(_ report: Exchange.Report) {
        if let head = report.head { receive(head) }
        if !report.body.isEmpty { receive(report.body) }
        if let end = report.end { exchangeDidEnd(end) }
    }

    private func receive(_ head: Exchange.Head) {
        guard let request = currentRequest, let url = request.url else { return }
        let head = ResponseHead(
            head,
            url: url.absoluteURL,
            requestMethod: request.httpMethod ?? "GET"
        )
        let isRedirect = RedirectPolicy.isRedirect(head)
        let delivery = isRedirect ? nil : state.withLock { $0.delivery }
        let verdict = delivery?.judge(head)
        state.withLock { state in
            state.head = head
            state.isRedirect = isRedirect
            state.verdict = verdict
            if state.downloadProgress != nil, !isRedirect {
                state.progress = Progress(totalUnitCount: head.progressTotal)
            }
        }
    }

    private func receive(_ chunks: [Exchange.Chunk]) {
        let (isRedirect, progress, report) = state.withLock { state in
            for chunk in chunks { state.body.append(chunk) }
            state.progress?.completedUnitCount = Int64(state.body.count)
            return (state.isRedirect, state.progress, state.downloadProgress)
        }
        guard !isRedirect else { return }
        if let progress { report?(progress) }
        forwardData(chunks)
    }

    private func forwardData(_ chunks: [Exchange.Chunk]) {
        guard let manager, manager.observesData(), let task = task as? DataTask else { return }
        for chunk in chunks {
            manager.dataTaskDidReceiveData(task, data: chunk.data)
        }
    }

    private func exchangeDidEnd(_ end: Exchange.End) {
        let (isRedirect, phase) = state.withLock { state in
            state.lifecycle.exchangeDidEnd()
            state.exchanges.append(end.metrics)
            return (state.isRedirect, state.lifecycle.phase)
        }
        if let failure = end.failure {
            return complete(with: .transport(failure, .init()))
        }
        if isRedirect, phase != .canceling {
            return followRedirect()
        }
        complete(with: nil)
    }

    // MARK: Redirects

    private func followRedirect() {
        let (head, request, count) = state.withLock { state in
            (state.head, state.currentRequest, state.redirectCount)
        }
        guard let head, let request else { return complete(with: nil) }
        let policy = RedirectPolicy(maximumRedirects: session.configuration.maximumRedirects)
        switch policy.decision(after: head, to: request, followed: count) {
        case .deliver: complete(with: nil)
        case .refuse(let reason): complete(with: .redirect(reason, .init()))
        case .follow(let next): ask(about: next, after: head)
        }
    }

    /// Asks the manager, on a thread of its own choice, and comes back to the callback queue.
    private func ask(about next: URLRequest, after head: ResponseHead) {
        guard let manager, let task else { return complete(with: nil) }
        // Swift tasks wait for threads that handlers may block, so none is made for nobody.
        guard manager.decidesRedirects() else { return redirectWasAnswered(next) }
        let session = session
        let taskIdentifier = taskIdentifier
        Task {
            let answer = await manager.taskWillPerformHTTPRedirection(
                task,
                head: head,
                newRequest: next
            )
            session.send(.redirectAnswer(answer), to: taskIdentifier)
        }
    }

    /// Goes on with the request, or delivers the redirect itself when there is none.
    func redirectWasAnswered(_ request: URLRequest?) {
        guard let request else {
            let delivery = state.withLock { $0.delivery }
            if let head, let verdict = delivery?.judge(head) {
                state.withLock { $0.verdict = verdict }
            }
            return complete(with: nil)
        }
        state.withLock { state in
            state.currentRequest = request
            state.redirectCount += 1
            state.isRedirect = false
            state.head = nil
            state.body.removeAll()
        }
        do throws(BluebonnetError) {
            startExchange(try exchange(for: request))
        } catch {
            complete(with: error)
        }
    }

    // MARK: Completion

    /// Completes the task with a failure, or with what its head was judged to be.
    ///
    /// In this order: the delegate knows the error, leaves the map, the manager hears of it, and
    /// the task's queue is released.
    func complete(with failure: BluebonnetError?) {
        let completion = state.withLock { state in
            let completion = state.lifecycle.complete()
            switch completion {
            case .alreadyComplete: break
            case .cancelled: state.error = state.inContext(.cancelled(.init()))
            case .regular: state.error = (failure ?? state.relevantVerdict).map(state.inContext)
            }
            return completion
        }
        guard completion != .alreadyComplete else { return }
        let isSessionDone = session.map.withLock { map in
            map.remove(taskIdentifier)
            return map.reportInvalidation()
        }
        let manager = manager
        if let manager, let task {
            if let metrics { manager.taskDidFinishCollectingMetrics(task, metrics: metrics) }
            manager.taskDidComplete(task, error: error)
        }
        releaseQueue()
        if isSessionDone { manager?.sessionIsInvalid() }
    }

    /// Serializes and delivers, then lets what was queued on the task run.
    private func releaseQueue() {
        guard isFinishedInNoTime else {
            // Made now if nobody has asked for it, so that the work is not done on this thread.
            let queue = queue
            state.withLock { $0.isQueueReleased = true }
            return queue.release { [self] in finish(inBatch: false) }
        }
        // Hooks are the caller's and may take their time, so with them a batch may be long.
        finish(inBatch: manager?.hasHooks == false)
        let queue = state.withLock { state in
            state.isQueueReleased = true
            return state.queue
        }
        queue?.release()
    }

    /// Whether nothing is serialized that could take its time, so that another thread is a waste.
    private var isFinishedInNoTime: Bool {
        state.withLock { state in
            guard state.body.count <= Self.largestBodyInNoTime else { return false }
            return state.delivery?.serializesInNoTime == true
                || state.error?.leavesBodyUnread == true
        }
    }

    private static let largestBodyInNoTime = 64 * 1024

    private func finish(inBatch: Bool) {
        let (delivery, outcome) = state.withLock { state in
            let outcome = TaskOutcome(
                request: state.currentRequest,
                head: state.head,
                data: state.body.data,
                metrics: state.metrics,
                error: state.error
            )
            defer {
                state.delivery = nil
                state.downloadProgress = nil
            }
            return (state.delivery, outcome)
        }
        delivery?.finish(outcome, of: self, inBatch: inBatch)
    }

    /// After the handler: the group, the notification, and nothing holds task or manager any more.
    func delivered(_ content: any NotificationContent) {
        setup.group?.leave()
        let held = perform { state in
            defer { state.held = nil }
            guard let task = state.held?.task else { return state.held }
            state.effects.append(
                .post(
                    PendingNotification(
                        name: SessionTask.didCompleteNotification,
                        object: task,
                        content: content
                    )
                )
            )
            return state.held
        }
        // Let go outside the lock: with the last reference to a manager go its closures.
        withExtendedLifetime(held) {}
    }
}

extension TaskState {
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

    /// The error with what was there when it arose.
    fileprivate func inContext(_ error: BluebonnetError) -> BluebonnetError {
        var error = error
        error.context.request = error.context.request ?? currentRequest
        error.context.head = error.context.head ?? head
        error.context.data = error.context.data ?? (head == nil ? nil : body.data)
        return error
    }
}

extension BluebonnetError {
    /// Whether no serializer looks at the body of what failed with it.
    fileprivate var leavesBodyUnread: Bool {
        if case .unacceptableStatus = self { false } else { true }
    }
}

extension ResponseHead {
    /// The length of the body that callers get; -1 when it is not known beforehand.
    fileprivate var progressTotal: Int64 {
        value(of: "Content-Encoding") == nil ? expectedContentLength ?? -1 : -1
    }
}
