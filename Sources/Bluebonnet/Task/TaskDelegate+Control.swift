import BluebonnetTransport
import Foundation
import FoundationNetworking

// What the task's holder does, on the holder's thread.
extension TaskDelegate {
    func adopt(_ task: SessionTask) {
        state.withLock { $0.task = task }
    }

    func resume(_ task: SessionTask) {
        hold(task)
        handle(.resume)
    }

    func suspend() {
        handle(.suspend)
    }

    func cancel(_ task: SessionTask, because cause: CancellationCause? = nil) {
        hold(task)
        if let cause { noteCancellation(cause) }
        handle(.cancel)
    }

    /// Notes why the task is about to be cancelled, unless it is cancelled already.
    func noteCancellation(_ cause: CancellationCause) {
        state.withLock { state in
            if !state.run.isCancelled { state.cancellation = cause }
        }
    }

    func cancel(
        _ task: SessionTask,
        byProducingResumeData handler: @escaping @Sendable (Data?) -> Void
    ) {
        let isTooLate = state.withLock { state in
            if state.run.stage.isFinished { return true }
            state.resumeDataHandlers.append(handler)
            return false
        }
        guard !isTooLate else {
            return session.callbacks.dispatchQueue.async { handler(nil) }
        }
        cancel(task)
    }

    /// Holds the task and its manager from the first call that lets the task go on to its end.
    private func hold(_ task: SessionTask) {
        state.withLock { state in
            guard state.run.stage.isNew, state.held == nil else { return }
            // Under the lock, or a cancel that comes next could leave the group first.
            setup.group?.enter()
            session.undelivered.enter()
            state.held = (task, session.owner.manager, state.request)
            state.managerUntilStart = nil
            state.startDate = Date()
        }
    }

    /// Does what was decided, in the order of the decisions.
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

    /// Cancels an exchange, and goes on without its end where the transport does not report one.
    private func end(_ transfer: any Transfer) {
        // Before the cancel, with whose end another exchange may begin.
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

    /// How long a transport has to report the end of an exchange that was cancelled.
    private static let longestEnding = Duration.seconds(1)

    /// Lets something happen to the task on the callback queue.
    func comeBack(with event: TaskRun.Event) {
        session.send(.happening(event), to: address)
    }

    /// Completes a task that is released without ever having been resumed.
    func taskWillBeReleased() {
        guard isNew else { return }
        // The task is in its deinit, so hooks and observers get another of the same kind.
        cancel(makeTask(), because: .neverResumed)
    }

    var manager: SessionManager? {
        state.withLock { $0.held?.manager } ?? session.owner.manager
    }
}
