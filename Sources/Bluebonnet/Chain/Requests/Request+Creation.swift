public import Foundation
public import FoundationNetworking

extension Request {
    /// Hears of the request of each attempt, after adaptation; of several calls the last counts.
    ///
    /// One that is there already is told of at once.
    ///
    /// - Parameters:
    ///   - queue: Where the closure is called; nil, the default, for the manager's
    ///     ``SessionManager/completionQueue``.
    ///   - handler: Called with the request.
    /// - Returns: The request.
    @discardableResult
    public func onURLRequestCreation(
        on queue: DispatchQueue? = nil,
        perform handler: @escaping @Sendable (_ request: URLRequest) -> Void
    ) -> Self {
        let tell: @Sendable (URLRequest) -> Void = { [weak delegate] request in
            delegate?.call(on: queue) { handler(request) }
        }
        let (known, former) = delegate.state.withLock { state in
            let former = state.requestHandler
            if !state.run.stage.isFinished { state.requestHandler = tell }
            return (state.attempt.isPrepared ? state.attempt.request : nil, former)
        }
        // Let go outside the lock: as it goes, it may use the request.
        withExtendedLifetime(former) {}
        if let known { tell(known) }
        return self
    }

    /// Hears of the task, which is there from the start and the same for all attempts.
    ///
    /// - Parameters:
    ///   - queue: Where the closure is called; nil, the default, for the manager's
    ///     ``SessionManager/completionQueue``.
    ///   - handler: Called once, with the task.
    /// - Returns: The request.
    @discardableResult
    public func onURLSessionTaskCreation(
        on queue: DispatchQueue? = nil,
        perform handler: @escaping @Sendable (_ task: SessionTask) -> Void
    ) -> Self {
        guard let task else { return self }
        delegate.call(on: queue) { handler(task) }
        return self
    }

    /// Passes the request as a command line for `curl` to a closure, as soon as there is a request.
    ///
    /// - Parameter handler: Called once, on the manager's ``SessionManager/completionQueue``, with the text of
    ///   ``cURLDescription(includingSecrets:)``.
    /// - Returns: The request.
    @discardableResult
    public func cURLDescription(
        calling handler: @escaping @Sendable (_ description: String) -> Void
    ) -> Self {
        awaitCommand(nil, handler)
    }

    /// Passes the request as a command line for `curl` to a closure, as soon as there is a request.
    ///
    /// - Parameters:
    ///   - queue: Where the closure is called.
    ///   - handler: Called once, with the text of ``cURLDescription(includingSecrets:)``.
    /// - Returns: The request.
    @discardableResult
    public func cURLDescription(
        on queue: DispatchQueue,
        calling handler: @escaping @Sendable (_ description: String) -> Void
    ) -> Self {
        awaitCommand(queue, handler)
    }

    private func awaitCommand(
        _ queue: DispatchQueue?, _ handler: @escaping @Sendable (String) -> Void
    ) -> Self {
        let tell: @Sendable () -> Void = { [weak delegate] in
            guard let delegate else { return handler(CURLCommand.unavailable) }
            let text = delegate.cURLDescription(includingSecrets: false)
            delegate.call(on: queue) { handler(text) }
        }
        let isKnown = delegate.state.withLock { state in
            let isKnown =
                state.attempt.isPrepared || !state.formerAttempts.isEmpty
                || state.run.stage.isFinished
            if !isKnown { state.awaitingRequest.append(tell) }
            return isKnown
        }
        if isKnown { tell() }
        return self
    }
}
