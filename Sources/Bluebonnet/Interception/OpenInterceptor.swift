public import FoundationNetworking

/// An interceptor that changes nothing and never retries, for subclasses to override.
///
/// It is the superclass of the interceptors that you can subclass. Each method has an `async` form
/// and a form with a completion. Override one of them: both then behave in the same way. The
/// override can call `super` in the same form, on any thread.
// `open` because its subclasses are, which ported code subclasses.
open class OpenInterceptor: RequestInterceptor, @unchecked Sendable {
    // @unchecked because the class is open: its only stored property is a constant. A subclass
    // protects its own state.
    private let calls = PendingCalls()

    // Public, because a subclass of `Interceptor` would otherwise not inherit its convenience
    // initializers.
    /// Creates an interceptor that changes nothing and never retries.
    public init() {}

    /// The class of the library that this class is, or inherits from.
    class var libraryType: OpenInterceptor.Type { OpenInterceptor.self }

    /// Whether a subclass can have overridden methods.
    private var isSubclassed: Bool {
        let type = type(of: self)
        return type != type.libraryType
    }

    // MARK: The behavior of the library's classes

    /// Returns the request that the class itself sends, without the overrides of a subclass.
    ///
    /// The state is nil if only the manager is known.
    func adaptItself(
        _ urlRequest: URLRequest, for session: Session, in state: RequestAdapterState?
    ) async throws -> URLRequest { urlRequest }

    /// Returns the decision of the class itself, without the overrides of a subclass.
    func retryItself(
        _ request: Request, for session: Session, dueTo error: any Error
    ) async -> RetryResult { .doNotRetry }

    // MARK: Adapting

    /// Returns the request to send, or calls the completion form if that is overridden.
    ///
    /// - Parameters:
    ///   - urlRequest: The request that the previous adapter returned.
    ///   - session: The manager of the task.
    /// - Returns: The request to send.
    /// - Throws: Any error. The attempt then fails before anything is sent.
    open func adapt(_ urlRequest: URLRequest, for session: Session) async throws -> URLRequest {
        let state = calls.state(for: session)
        guard isSubclassed else {
            return try await adaptItself(urlRequest, for: session, in: state)
        }
        return try await calls.answer(
            .adaptFor, calls.token,
            own: { try await self.adaptItself(urlRequest, for: session, in: state) },
            asking: { self.adapt(urlRequest, for: session, completion: $0) })
    }

    /// Passes the request to send to a closure, or calls the `async` form if that is overridden.
    ///
    /// - Parameters:
    ///   - urlRequest: The request that the previous adapter returned.
    ///   - session: The manager of the task.
    ///   - completion: Called once. Further calls are ignored.
    open func adapt(
        _ urlRequest: URLRequest, for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        let state = calls.state(for: session)
        calls.complete(
            .adaptFor, calls.token, for: session,
            own: { try await self.adaptItself(urlRequest, for: session, in: state) },
            asking: { try await self.adapt(urlRequest, for: session) }, completion)
    }

    /// Returns the request to send, given the state of the attempt.
    ///
    /// Calls the completion form if that is overridden, or else the form without a state.
    ///
    /// - Parameters:
    ///   - urlRequest: The request that the previous adapter returned.
    ///   - state: The attempt.
    /// - Returns: The request to send.
    /// - Throws: Any error. The attempt then fails before anything is sent.
    open func adapt(
        _ urlRequest: URLRequest, using state: RequestAdapterState
    ) async throws -> URLRequest {
        guard isSubclassed else {
            return try await adaptItself(urlRequest, for: state.session, in: state)
        }
        return try await calls.answer(
            .adaptUsing, .init(id: ObjectIdentifier(state.request), attempt: state.attempt),
            own: { try await self.adaptWithoutState(urlRequest, in: state) },
            asking: { self.adapt(urlRequest, using: state, completion: $0) })
    }

    /// Passes the request to send to a closure, given the state of the attempt.
    ///
    /// Calls the `async` form if that is overridden, or else the form without a state.
    ///
    /// - Parameters:
    ///   - urlRequest: The request that the previous adapter returned.
    ///   - state: The attempt.
    ///   - completion: Called once. Further calls are ignored.
    open func adapt(
        _ urlRequest: URLRequest, using state: RequestAdapterState,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        calls.complete(
            .adaptUsing, .init(id: ObjectIdentifier(state.request), attempt: state.attempt),
            for: state.session,
            own: { try await self.adaptWithoutState(urlRequest, in: state) },
            asking: { try await self.adapt(urlRequest, using: state) }, completion)
    }

    /// Calls the form without a state, which a subclass can have overridden.
    private func adaptWithoutState(
        _ urlRequest: URLRequest, in state: RequestAdapterState
    ) async throws -> URLRequest {
        try await calls.adapting(in: state) {
            try await self.adapt(urlRequest, for: state.session)
        }
    }

    // MARK: Retrying

    /// Returns whether the request is sent again, or calls the completion form if that is
    /// overridden.
    ///
    /// - Parameters:
    ///   - request: The request, with the head and the body of the failed attempt.
    ///   - session: The manager of the task.
    ///   - error: The failure.
    /// - Returns: The decision.
    open func retry(
        _ request: Request, for session: Session, dueTo error: any Error
    ) async -> RetryResult {
        guard isSubclassed else {
            return await retryItself(request, for: session, dueTo: error)
        }
        let answer = try? await calls.answer(
            .retry, .init(id: ObjectIdentifier(request), attempt: request.attemptNumber),
            own: { await self.retryItself(request, for: session, dueTo: error) },
            asking: { complete in
                self.retry(request, for: session, dueTo: error) { complete(.success($0)) }
            })
        return answer ?? .doNotRetry
    }

    /// Passes the decision to a closure, or calls the `async` form if that is overridden.
    ///
    /// - Parameters:
    ///   - request: The request, with the head and the body of the failed attempt.
    ///   - session: The manager of the task.
    ///   - error: The failure.
    ///   - completion: Called once. Further calls are ignored.
    open func retry(
        _ request: Request, for session: Session, dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        calls.complete(
            .retry, .init(id: ObjectIdentifier(request), attempt: request.attemptNumber),
            for: session,
            own: { await self.retryItself(request, for: session, dueTo: error) },
            asking: { await self.retry(request, for: session, dueTo: error) },
            { completion((try? $0.get()) ?? .doNotRetry) })
    }

    // MARK: The end of an attempt

    /// Does nothing.
    ///
    /// - Parameter attempt: The attempt that has ended.
    open func attemptDidEnd(_ attempt: EndedAttempt) {
        // Not recorded for a subclass, because its override can call this method.
        guard !isSubclassed else { return }
        DefaultMethod.attemptDidEnd.wasCalled(of: type(of: self))
    }
}
