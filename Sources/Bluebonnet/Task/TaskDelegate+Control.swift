import BluebonnetTransport
import Foundation
import FoundationNetworking

// Control of a task by its caller, on any thread.
extension TaskDelegate {
    func adopt(_ task: SessionTask) {
        state.withLock { $0.task = task }
    }

    func resume(_ task: SessionTask) {
        guard !isOfParentProcess else { return }
        hold(task)
        handle(.resume)
    }

    func suspend() {
        guard !isOfParentProcess else { return }
        handle(.suspend)
    }

    func cancel(_ task: SessionTask, because cause: CancellationCause? = nil) {
        guard !isOfParentProcess else { return }
        hold(task)
        if let cause { noteCancellation(cause) }
        handle(.cancel)
    }

    /// Whether the task was started in the process from which this one was forked.
    ///
    /// Its connection and its file are in use there. A missing thread can hold its lock.
    private var isOfParentProcess: Bool {
        guard ProcessFork.hasLostThreads, session !== SessionCore.afterFork else { return false }
        return state.withLockIfFree { !$0.run.stage.isNew || $0.held != nil } ?? true
    }

    /// Records why the task is about to be canceled, unless it is canceled already.
    func noteCancellation(_ cause: CancellationCause) {
        state.withLock { state in
            if !state.run.isCancelled { state.cancellation = cause }
        }
    }

    func cancel(
        _ task: SessionTask,
        byProducingResumeData handler: @escaping @Sendable (Data?) -> Void
    ) {
        guard !isOfParentProcess else { return HandlerPool.shared.async { handler(nil) } }
        let isTooLate = state.withLock { state in
            if state.run.stage.isFinished { return true }
            state.resumeDataHandlers.append(handler)
            return false
        }
        guard !isTooLate else {
            return session.callbacks.async { handler(nil) }
        }
        cancel(task)
    }

    /// Keeps the task and its manager alive from the first `resume()` or cancel until the end.
    private func hold(_ task: SessionTask) {
        state.withLock { state in
            guard state.run.stage.isNew, state.held == nil else { return }
            // Under the lock, or a cancel that follows could leave the group first.
            setup.group?.enter()
            session.undelivered.enter()
            state.held = (task, session.owner.manager)
            state.managerUntilStart = nil
            state.startDate = Date()
        }
    }

    /// Performs the effects in the order in which they were decided.
    func act() {
        while let effect = state.withLock({ $0.run.effects.next() }) {
            switch effect {
            case .begin(let transfer): transfer.begin()
            case .pause(let transfer): transfer.suspend()
            case .unpause(let transfer): transfer.resume()
            case .cancel(let transfer): transfer.abort()
            case .end(let transfer): end(transfer)
            case .tell(let event): tell(event)
            case .endWork: session.work.end()
            case .letGo: letGo()
            case .comeBack(let event): comeBack(with: event)
            }
        }
    }

    /// Cancels an exchange, and continues without its end if the transport does not report one.
    private func end(_ transfer: any Transfer) {
        // Read before the cancel, because the end of the exchange can start another one.
        let number = state.withLock { $0.run.transfer === transfer ? $0.exchange.number : nil }
        transfer.cancel()
        guard let number else { return }
        let timer = session.clock.schedule(after: Self.longestEnding) { [weak self] in
            guard let self else { return }
            session.send(
                .answer { ResponseStage($0).endUnreported(ofExchange: number) }, to: address)
        }
        let hasEnded = state.withLock { state in
            guard state.exchange.number == number, !state.exchange.hasEnded else { return true }
            state.endTimer = timer
            return false
        }
        if hasEnded { timer.cancel() }
    }

    /// The time that a transport has to report the end of a canceled exchange.
    private static let longestEnding = Duration.seconds(1)

    /// Sends an event to the task on the callback queue, or handles it if that has no threads.
    func comeBack(with event: TaskRun.Event) {
        guard !ProcessFork.hasLostThreads else { return handle(event) }
        session.send(.happening(event), to: address)
    }

    /// Completes a task that is released without having been resumed.
    func taskWillBeReleased() {
        guard isNew else { return }
        // The task is being deinitialized, so hooks and observers get another object.
        cancel(makeTask(), because: .neverResumed)
    }

    var manager: SessionManager? {
        state.withLock { $0.held?.manager } ?? session.owner.manager
    }
}
