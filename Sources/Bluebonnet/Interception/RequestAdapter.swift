public import Foundation
public import FoundationNetworking

/// Changes the request of each attempt before it is sent, for example to add an access token.
///
/// Implement one of its methods, usually the first. Each one's default calls another: the forms with
/// `using:` call those with `for:`, and of an `async` and a completion form the one that is implemented. An
/// adapter that implements none changes nothing.
///
/// It runs in a Swift task, never on the callback queue, and may wait. In a task's first attempt it begins on the thread
/// that calls ``SessionTask/resume()``, so that one that does not wait costs no change of threads. Each has
/// ``SessionConfiguration/interceptorTimeout`` to answer. Redirects within an attempt are not adapted.
public protocol RequestAdapter: Sendable {
    /// Returns the request to send.
    ///
    /// - Parameters:
    ///   - urlRequest: The request, as the adapter before has made it.
    ///   - session: The manager of the task.
    /// - Returns: The request to send.
    /// - Throws: Any error, with which the attempt fails before anything is sent.
    func adapt(_ urlRequest: URLRequest, for session: Session) async throws -> URLRequest

    /// Passes the request to send to a closure, which is called once; further calls are ignored.
    func adapt(
        _ urlRequest: URLRequest, for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void)

    /// Returns the request to send, for a known attempt.
    func adapt(_ urlRequest: URLRequest, using state: RequestAdapterState) async throws
        -> URLRequest

    /// Passes the request to send, for a known attempt, to a closure, which is called once.
    func adapt(
        _ urlRequest: URLRequest, using state: RequestAdapterState,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void)
}

/// The attempt whose request an adapter changes.
public struct RequestAdapterState: Sendable {
    /// The identifier of the request, the same for all of its attempts.
    public var requestID: UUID { request.id }
    /// The manager of the task.
    public let session: Session
    /// The request as a whole.
    public let request: Request
    /// The number of the attempt, from 1.
    public let attempt: Int
    let interception: AttemptInterception?

    /// Creates a state, for tests of an adapter.
    ///
    /// - Parameters:
    ///   - session: The manager of the task.
    ///   - request: The request as a whole.
    ///   - attempt: The number of the attempt, from 1.
    public init(session: Session, request: Request, attempt: Int) {
        self.init(session: session, request: request, attempt: attempt, interception: nil)
    }

    init(session: Session, request: Request, attempt: Int, interception: AttemptInterception?) {
        self.session = session
        self.request = request
        self.attempt = attempt
        self.interception = interception
    }
}

extension RequestAdapter {
    /// Calls the completion form if that is implemented, and changes nothing otherwise.
    public func adapt(_ urlRequest: URLRequest, for session: Session) async throws -> URLRequest {
        let answer = try await InterceptorBridge.ask(self, .adaptFor) { complete in
            adapt(urlRequest, for: session, completion: complete)
        }
        return try answer?.get() ?? urlRequest
    }

    /// Calls the `async` form if that is implemented, and changes nothing otherwise.
    public func adapt(
        _ urlRequest: URLRequest, for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        guard !InterceptorBridge.isAsked(self, .adaptFor) else { return }
        InterceptorBridge.complete(completion, for: session) {
            try await adapt(urlRequest, for: session)
        }
    }

    /// Calls the completion form if that is implemented, and the form without a state otherwise.
    public func adapt(
        _ urlRequest: URLRequest, using state: RequestAdapterState
    ) async throws -> URLRequest {
        let answer = try await InterceptorBridge.ask(self, .adaptUsing) { complete in
            adapt(urlRequest, using: state, completion: complete)
        }
        if let answer { return try answer.get() }
        return try await adapt(urlRequest, for: state.session)
    }

    /// Calls the `async` form.
    public func adapt(
        _ urlRequest: URLRequest, using state: RequestAdapterState,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        guard !InterceptorBridge.isAsked(self, .adaptUsing) else { return }
        InterceptorBridge.complete(completion, for: state.session) {
            try await adapt(urlRequest, using: state)
        }
    }
}
