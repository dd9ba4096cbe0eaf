import BluebonnetTransport
import Foundation

// From a task's end to the last of those who are told of it.
extension TaskDelegate {
    /// Adds a responder, which is told of the end in its turn, also where the end has been.
    func add(_ responder: any TaskResponder) {
        guard state.withLock({ $0.responders.add(responder) }) else { return }
        // Whatever that is, the queue has the others before it.
        queue.addOperation(session.work.counting { [self] in serveLate() })
    }

    /// Has the responders told of the end, then lets what was queued on the task run.
    ///
    /// At once where nothing is serialized that takes any time, so that another thread is a waste, and
    /// where the queue has nothing that is to come first.
    func releaseQueue() {
        // The caller's closures go outside the lock: what they hold may use the task as it goes.
        let (queue, hasNone, former) = state.withLock { state in
            let isShort = state.queue == nil && state.respondsInNoTime
            // Made suspended, if it is made here: what others add to it comes after the responders.
            let queue = isShort ? nil : state.madeQueue()
            state.isQueueReleased = !isShort
            let former = (
                state.sending.handler.take(), state.receiving.handler.take(),
                state.attempt.body.take(), state.upload.take(), state.takeCallersOwn()
            )
            return (queue, state.responders.begin(), former)
        }
        withExtendedLifetime(former) {}
        if hasNone { respondersDidReturn() }
        guard let queue else {
            serve()
            let queue = state.withLock { state in
                state.isQueueReleased = true
                return state.queue
            }
            queue?.release()
            return
        }
        queue.release { [self] in serve() }
    }

    /// Tells one responder after the other of the end.
    private func serve() {
        while let (responder, turn, outcome) = state.withLock({ $0.nextResponder() }) {
            responder.respond(to: outcome, of: self, as: turn)
        }
    }

    private func serveLate() {
        let late = state.withLock { state in
            state.responders.nextLate().map { ($0, state.outcome()) }
        }
        if let (responder, outcome) = late { responder.respond(to: outcome, of: self, as: .late) }
    }

    /// Runs a handler in the pool, where those of one task never overlap.
    func runInPool(_ handler: @escaping @Sendable () -> Void) {
        if state.withLock({ $0.responders.pool.enter(handler) }) {
            HandlerPool.shared.async(handler)
        }
    }

    /// Calls a closure when the handlers have returned that are there at the end; at once behind that.
    func afterDelivery(_ tell: @escaping @Sendable () -> Void) {
        let isDelivered = state.withLock { state in
            if !state.isDelivered { state.awaitingDelivery.append(tell) }
            return state.isDelivered
        }
        if isDelivered { tell() }
    }

    /// Sets what the caller gives to the task, unless the task has ended.
    ///
    /// What was there goes outside the lock: as it goes, it may use the task.
    func set<Value>(_ path: WritableKeyPath<TaskState, Value>, to value: Value) {
        let former = state.withLock { state -> Value? in
            guard !state.run.stage.isFinished else { return nil }
            defer { state[keyPath: path] = value }
            return state[keyPath: path]
        }
        withExtendedLifetime(former) {}
    }

    /// Takes note that a handler has returned, and lets the next one run.
    func leavePool() {
        if let next = state.withLock({ $0.responders.pool.leave() }) {
            HandlerPool.shared.async(next)
        }
    }

    /// Takes note that the receiver of a responder has returned, and after the last one that counts
    /// leaves the group and posts the notification.
    func responderDidReturn(
        _ turn: TaskResponders.Turn, fromPool: Bool = false,
        _ content: () -> any NotificationContent
    ) {
        let content = turn == .first && session.audience.notifications.isNeeded ? content() : nil
        let (next, isLast) = state.withLock { state in
            (
                fromPool ? state.responders.pool.leave() : nil,
                state.responders.noteReturn(of: turn, content)
            )
        }
        if let next { HandlerPool.shared.async(next) }
        if isLast { respondersDidReturn() }
    }

    private func respondersDidReturn() {
        setup.group?.leave()
        if isHeard(.delivered) {
            let isPosted = session.audience.notifications.isNeeded
            let content = state.withLock { state in
                isPosted ? state.responders.takeContent() ?? state.completionContent() : nil
            }
            emit(.delivered, content)
        }
        let former = state.withLock { state -> TaskState.Held? in
            if state.run.effects.isDone { return state.letGo() }
            // Behind what another thread is about to tell.
            state.run.effects.append(.letGo)
            return nil
        }
        if let former { letGo(of: former) } else { actOnQueued() }
    }

    /// Lets go of what a task holds until its end is delivered.
    func letGo() { letGo(of: state.withLock { $0.letGo() }) }

    private func letGo(of former: consuming TaskState.Held) {
        // Outside the lock: with the last reference to a manager go its closures, and with that to a
        // download its file, if it has no place.
        let awaiting = former.awaiting
        _ = consume former
        for tell in awaiting { tell() }
        session.undelivered.leave()
        noteWork()
    }
}

extension TaskState {
    fileprivate mutating func nextResponder()
        -> (any TaskResponder, TaskResponders.Turn, TaskOutcome)?
    {
        responders.next().map { ($0.0, $0.1, outcome()) }
    }

    /// Whether nothing is serialized that could take its time.
    fileprivate var respondsInNoTime: Bool {
        guard exchange.body.count <= Self.largestBodyInNoTime else { return false }
        if let error, error.leavesBodyUnread { return true }
        return responders.areCheap(byteCount: download?.fileURL == nil ? exchange.body.count : .max)
    }

    private static let largestBodyInNoTime = 64 * 1024

    /// What came of the task, the same for all responders.
    fileprivate mutating func outcome() -> TaskOutcome {
        let file = fileURL
        return TaskOutcome(
            request: attempt.request,
            head: exchange.head,
            data: exchange.head == nil || file != nil ? nil : exchange.body.joined(),
            metrics: metrics,
            error: error,
            fileURL: file,
            trailers: exchange.trailers,
            redirects: attempt.redirects
        )
    }

    /// What the notification carries where no responder has made anything of the body.
    fileprivate mutating func completionContent() -> CompletionContent {
        let outcome = outcome()
        return CompletionContent(
            ResponseParts(outcome, unacceptedBody: nil), object: nil, error: outcome.error,
            serializer: nil)
    }

    /// What a task holds until its end is delivered.
    fileprivate struct Held {
        var task: SessionTask?
        var manager: SessionManager?
        var request: Request?
        var awaiting: [@Sendable () -> Void]
        var flow: BodyFlow
    }

    /// Lets go of what a task holds until its end is delivered, and keeps what later responders want.
    fileprivate mutating func letGo() -> Held {
        if let file = download?.fileURL { fileURL = file }
        defer { (held, flow) = (nil, .memory) }
        let awaiting = awaitingDelivery
        if !awaiting.isEmpty { awaitingDelivery = [] }
        return Held(
            task: held?.task, manager: held?.manager, request: held?.request, awaiting: awaiting,
            flow: flow)
    }
}

extension BluebonnetError {
    /// Whether no serializer looks at the body of what failed with it.
    fileprivate var leavesBodyUnread: Bool {
        switch self {
        case .unacceptableStatus, .validation: false
        default: true
        }
    }
}
