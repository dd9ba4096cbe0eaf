import BluebonnetTransport
import Foundation
import FoundationNetworking

// What the task's holder does, on the holder's thread.
extension TaskDelegate {
    func adopt(_ task: SessionTask) {
        state.withLock { $0.task = task }
    }

    func resume(_ task: SessionTask) {
        let action = state.withLock { state in
            let action = state.lifecycle.resume()
            if case .start = action {
                state.held = (task, state.manager)
                state.startDate = Date()
            }
            return action
        }
        switch action {
        case .start:
            setup.group?.enter()
            manager?.willStart(task)
            post(SessionTask.didResumeNotification, task)
            begin()
        case .unpause(let transfer):
            post(SessionTask.didResumeNotification, task)
            transfer?.resume()
        default: break
        }
    }

    func suspend(_ task: SessionTask) {
        guard case .pause(let transfer) = state.withLock({ $0.lifecycle.suspend() }) else { return }
        post(SessionTask.didSuspendNotification, task)
        transfer?.suspend()
    }

    func cancel(_ task: SessionTask) {
        let (wasCancelling, action) = state.withLock { state in
            let before = state.lifecycle.phase
            let action = state.lifecycle.cancel()
            if case .finish(isFirst: true) = action { state.held = (task, state.manager) }
            return (before == .canceling || before == .completed, action)
        }
        guard !wasCancelling else { return }
        if case .finish(isFirst: true) = action { setup.group?.enter() }
        post(SessionTask.didCancelNotification, task)
        switch action {
        case .cancel(let transfer): transfer.cancel()
        case .finish: session.send(.failure(.cancelled(.init())), to: taskIdentifier)
        default: break
        }
    }

    /// Completes a task that was let go without ever being resumed; others go on.
    func taskWasReleased() {
        guard isNew else { return }
        // The task itself is going, so hooks and observers meet another of the same kind.
        cancel(makeTask())
    }

    var manager: SessionManager? {
        state.withLock { $0.held?.manager ?? $0.manager }
    }

    func post(_ name: Notification.Name, _ task: SessionTask) {
        session.notifications.send(PendingNotification(name: name, object: task))
    }

    // MARK: Exchanges

    private func begin() {
        do throws(BluebonnetError) {
            guard manager != nil, !session.map.withLock({ $0.isInvalidated }) else {
                throw .sessionInvalidated(.init(request: originalRequest))
            }
            startExchange(try exchange(for: try setup.request.get()))
        } catch {
            session.send(.failure(error), to: taskIdentifier)
        }
    }

    func exchange(for request: URLRequest) throws(BluebonnetError) -> Exchange {
        do {
            return try session.exchangeBuilder.exchange(for: request, pool: setup.pool)
        } catch {
            throw .invalidRequest(error.description, .init(request: request, underlying: error))
        }
    }

    func startExchange(_ exchange: Exchange) {
        guard let number = state.withLock({ $0.lifecycle.willStartExchange() }) else {
            return session.send(.failure(.cancelled(.init())), to: taskIdentifier)
        }
        let transfer = session.transport.start(exchange, sink: self)
        switch state.withLock({ $0.lifecycle.didStartExchange(number, transfer) }) {
        case .cancel(let transfer): transfer.cancel()
        case .pause(let transfer): transfer?.suspend()
        default: break
        }
    }
}

extension TaskDelegate: ExchangeSink {
    /// Passes a report on to the manager's callback queue. Called by the transport.
    public func receive(_ report: Exchange.Report) {
        session.send(.report(report), to: taskIdentifier)
    }
}
