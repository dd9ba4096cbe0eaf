import BluebonnetTransport
import Foundation

/// Delivers the outcome of a task to its responders, which can return on any thread.
struct DeliveryStage: TaskStage {
    let delegate: TaskDelegate

    /// Calls the responders, and then runs the operations in the task's queue.
    ///
    /// The responders run at once if serialization is cheap and nothing in the queue has to come
    /// first. Otherwise they run in the queue.
    func begin(_ due: consuming DueDelivery) {
        // Outside the lock, because the serializers can be the caller's.
        let (isCheap, count) = (due.isCheap, due.responders.count)
        // A handler is released as soon as it has returned.
        _ = consume due
        // The caller's closures are released outside the lock: objects that they hold can use the
        // task in their deinit.
        var former: [Any] = []
        var hasNone = false
        var (next, outcome) = (nil as TaskState.NextResponder?, nil as TaskOutcome?)
        let queue = state.withLock { state in
            // A responder that was added since has not been asked.
            let isShort =
                isCheap && state.queue == nil && state.responders.count == count
            // Created suspended, so that operations that are added meanwhile follow the responders.
            let queue = isShort ? nil : state.madeQueue()
            state.isQueueReleased = !isShort
            former = state.takeCallersOwn()
            hasNone = state.responders.begin()
            if isShort { (next, outcome) = state.nextResponder() }
            return queue
        }
        _ = consume former
        if hasNone { respondersDidReturn() }
        guard let queue else {
            serve(next, outcome.take())
            let queue = state.withLock { state in
                state.isQueueReleased = true
                return state.queue
            }
            queue?.release()
            return
        }
        queue.release { [self] in
            let (next, outcome) = state.withLock { $0.nextResponder() }
            serve(next, outcome)
        }
    }

    /// Calls the responders one after the other.
    private func serve(
        _ next: TaskState.NextResponder?, _ outcome: consuming TaskOutcome?
    ) {
        var next = next
        while let due = next, let known = outcome.take() {
            due.responder.respond(to: known, of: delegate, as: due.turn)
            if due.isLast { return }
            (next, outcome) = state.withLock { $0.nextResponder() }
        }
    }

    func serveLate() {
        let late = state.withLock { state in
            state.responders.nextLate().map { ($0, state.outcome()) }
        }
        if let (responder, outcome) = late {
            responder.respond(to: outcome, of: delegate, as: .late)
        }
    }

    /// Runs a handler in the pool; the handlers of one task never overlap.
    func runInPool(_ handler: @escaping @Sendable () -> Void) {
        if state.withLock({ $0.responders.pool.enter(handler) }) {
            HandlerPool.shared.async(handler)
        }
    }

    /// Records that a handler has returned, and runs the next one.
    func leavePool() {
        if let next = state.withLock({ $0.responders.pool.leave() }) {
            HandlerPool.shared.async(next)
        }
    }

    /// Records that the receiver of a responder has returned.
    ///
    /// After the last receiver that was added before the end, it leaves the group and posts the
    /// notification.
    func responderDidReturn(
        _ turn: TaskResponders.Turn, fromPool: Bool = false,
        _ content: () -> any NotificationContent
    ) {
        let content = turn == .first && session.audience.notifications.isNeeded ? content() : nil
        let isHeard = delegate.isHeard(.delivered)
        let (next, isLast, former) = state.withLock { state in
            let next = fromPool ? state.responders.pool.leave() : nil
            let isLast = state.responders.noteReturn(of: turn, content)
            // In the same lock, if nothing has to be told before.
            let isDone = isLast && !isHeard && state.run.effects.isDone
            return (next, isLast, isDone ? state.releaseHeld() : nil)
        }
        if let next { HandlerPool.shared.async(next) }
        if let former {
            delegate.setup.group?.leave()
            release(former)
        } else if isLast {
            respondersDidReturn()
        }
    }

    private func respondersDidReturn() {
        delegate.setup.group?.leave()
        if delegate.isHeard(.delivered) {
            let isPosted = session.audience.notifications.isNeeded
            let content = state.withLock { state in
                isPosted
                    ? state.responders.takeContent() ?? CompletionContent(state.outcome()) : nil
            }
            delegate.emit(.delivered, content)
        }
        let former = state.withLock { state -> TaskState.Held? in
            if state.run.effects.isDone { return state.releaseHeld() }
            // After the effects that another thread is about to perform.
            state.run.effects.append(.release)
            return nil
        }
        if let former { release(former) } else { delegate.actOnQueued() }
    }

    /// Releases the objects that the task keeps alive until its outcome is delivered.
    func release() { release(state.withLock { $0.releaseHeld() }) }

    private func release(_ former: consuming TaskState.Held) {
        // Outside the lock: this can release the manager's closures, and delete a file without a
        // destination.
        let awaiting = former.awaiting
        _ = consume former
        for tell in awaiting { tell() }
        session.undelivered.leave()
        delegate.noteWork()
    }
}

extension TaskState {
    /// A responder whose turn it is.
    fileprivate struct NextResponder {
        let responder: any TaskResponder
        let turn: TaskResponders.Turn
        let isLast: Bool
    }

    /// Returns the next responder and the outcome for it, apart because the responder consumes it.
    fileprivate mutating func nextResponder() -> (NextResponder?, TaskOutcome?) {
        guard let (responder, turn) = responders.next() else { return (nil, nil) }
        let next = NextResponder(responder: responder, turn: turn, isLast: !responders.areDue)
        return (next, outcome())
    }

    /// What decides whether the responders run at once.
    var dueDelivery: DueDelivery {
        mutating get {
            let hasFile = !isRareInitial && rare.download?.fileURL != nil
            return DueDelivery(
                responders: responders, bodyCount: exchange.reception.bodyCount,
                hasFile: hasFile, leavesBodyUnread: error?.leavesBodyUnread == true)
        }
    }

    /// Returns the task's outcome, which is the same for all responders.
    fileprivate mutating func outcome() -> TaskOutcome {
        let file = isRareInitial ? nil : rare.download?.fileURL
        let metrics = TaskMetrics(ends, since: startDate, redirectCount: attempt.redirectCount)
        let (head, data, trailers) = exchange.reception.parts() ?? (nil, nil, nil)
        return TaskOutcome(
            request: attempt.request, head: head, data: file == nil ? data : nil, metrics: metrics,
            error: error, fileURL: file, trailers: trailers, redirects: attempt.redirects)
    }

    /// Removes and returns what the caller gave to the task and what only its attempts needed.
    fileprivate mutating func takeCallersOwn() -> [Any] {
        var former: [Any] = isRareInitial ? [] : rare.takeCallersOwn()
        if let handler = sending.handler.take() { former.append(handler) }
        if let handler = receiving.handler.take() { former.append(handler) }
        if let body = attempt.body.take() { former.append(body) }
        if let upload = upload.take() { former.append(upload) }
        return former
    }

    /// The objects that a task keeps alive until its outcome is delivered.
    fileprivate struct Held {
        var task: SessionTask?
        var manager: SessionManager?
        var context: CallerContext?
        var awaiting: [@Sendable () -> Void]
        var flow: BodyFlow
        /// The file of a download, which is removed with the object unless it was moved or kept.
        var file: DownloadFile?
    }

    /// Removes and returns the objects that the task keeps alive, except those that late responders
    /// need.
    fileprivate mutating func releaseHeld() -> Held {
        defer { (held, flow) = (nil, .memory) }
        let awaiting = isRareInitial ? [] : rare.awaitingDelivery
        if !awaiting.isEmpty { rare.awaitingDelivery = [] }
        return Held(
            task: held?.task, manager: held?.manager, context: held?.context, awaiting: awaiting,
            flow: flow, file: exchange.reception.takeFile())
    }
}

/// The responders of a task that has ended, and what they serialize.
struct DueDelivery {
    let responders: TaskResponders
    let bodyCount: Int
    let hasFile: Bool
    let leavesBodyUnread: Bool

    /// Whether serialization is cheap for all responders.
    fileprivate var isCheap: Bool {
        guard bodyCount <= Self.largestBodyInNoTime else { return false }
        return leavesBodyUnread || responders.areCheap(byteCount: hasFile ? .max : bodyCount)
    }

    private static let largestBodyInNoTime = 64 * 1024
}

extension BluebonnetError {
    /// Whether no serializer reads the body after this error.
    fileprivate var leavesBodyUnread: Bool {
        switch self {
        case .unacceptableStatus, .validation: false
        default: true
        }
    }
}
