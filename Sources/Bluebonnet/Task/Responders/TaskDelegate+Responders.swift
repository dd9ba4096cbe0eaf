import BluebonnetTransport

// The responders of a task, and what its caller sets.
extension TaskDelegate {
    /// Adds a responder, which gets its turn even if the task has already ended.
    ///
    /// It resumes a task that resumes automatically.
    func add(_ responder: any TaskResponder) {
        let (isLate, starts) = state.withLock { ($0.responders.add(responder), $0.startsByItself) }
        if isLate {
            // Serves the next late responder, after everything that is already in the queue.
            queue.addOperation(session.work.counting { [self] in DeliveryStage(self).serveLate() })
        }
        if starts { task?.resume() }
    }

    /// Calls a closure once the handlers that were added before the end have returned.
    package func afterDelivery(_ tell: @escaping @Sendable () -> Void) {
        let isDelivered = state.withLock { state in
            if !state.isDelivered { state.rare.awaitingDelivery.append(tell) }
            return state.isDelivered
        }
        if isDelivered { tell() }
    }

    /// Sets a value that the caller gives to the task, unless the task has ended.
    ///
    /// The former value is released outside the lock, because its deinit can use the task.
    func set<Value>(_ path: WritableKeyPath<TaskState, Value>, to value: Value) {
        let former = state.withLock { state -> Value? in
            guard !state.run.stage.isFinished else { return nil }
            defer { state[keyPath: path] = value }
            return state[keyPath: path]
        }
        withExtendedLifetime(former) {}
    }
}

extension TaskState {
    /// Whether a handler that is added now resumes the task.
    var startsByItself: Bool {
        resumesAutomatically && run.stage.isNew && !run.isCancelled && !run.isSuspended
    }
}
