public import Foundation
public import FoundationNetworking

/// Changes the request of each attempt before it is sent, for example to add an access token.
///
/// Implement one of the four methods, usually the first. By default, the `using:` forms call the
/// `for:` forms, and an `async` form and its completion form call each other. An adapter that
/// implements none of them changes nothing.
///
/// An adapter runs in a Swift task, never on the callback queue, and can wait. In the first attempt
/// of a task it starts on the thread that calls ``SessionTask/resume()``. An adapter that does not
/// wait then causes no thread switch. Each adapter must answer within
/// ``SessionConfiguration/interceptorTimeout``. A request that follows a redirect within an attempt
/// is not adapted.
public protocol RequestAdapter: Sendable {
    /// Returns the request to send.
    ///
    /// - Parameters:
    ///   - urlRequest: The request that the previous adapter returned.
    ///   - session: The manager of the task.
    /// - Returns: The request to send.
    /// - Throws: Any error. The attempt then fails before anything is sent.
    func adapt(_ urlRequest: URLRequest, for session: Session) async throws -> URLRequest

    /// Passes the request to send to a closure.
    ///
    /// The closure is called once. Further calls are ignored.
    func adapt(
        _ urlRequest: URLRequest, for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void)

    /// Returns the request to send, given the state of the attempt.
    func adapt(_ urlRequest: URLRequest, using state: RequestAdapterState) async throws
        -> URLRequest

    /// Passes the request to send to a closure, given the state of the attempt.
    ///
    /// The closure is called once. Further calls are ignored.
    func adapt(
        _ urlRequest: URLRequest, using state: RequestAdapterState,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void)
}

/// The attempt whose request an adapter changes.
public struct RequestAdapterState: Sendable {
    /// The identifier of the request, which is the same for all of its attempts.
    public var requestID: UUID { request.id }
    /// The manager of the task.
    public let session: Session
    /// The request that the attempt belongs to.
    public let request: Request
    /// The number of the attempt, from 1.
    public let attempt: Int
    let interception: AttemptInterception?

    /// Creates a state, for tests of an adapter.
    ///
    /// - Parameters:
    ///   - session: The manager of the task.
    ///   - request: The request that the attempt belongs to.
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
    /// Calls the completion form if it is implemented, or else returns the request unchanged.
    public func adapt(_ urlRequest: URLRequest, for session: Session) async throws -> URLRequest {
        let answer = try await InterceptorBridge.ask(self, .adaptFor) { complete in
            adapt(urlRequest, for: session, completion: complete)
        }
        return try answer?.get() ?? urlRequest
    }

    /// Calls the `async` form if it is implemented, or else passes on the request unchanged.
    public func adapt(
        _ urlRequest: URLRequest, for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        guard !InterceptorBridge.isAsked(self, .adaptFor) else { return }
        InterceptorBridge.complete(completion, for: session) {
            try await adapt(urlRequest, for: session)
        }
    }

    /// Calls the completion form if it is implemented, or else the form without a state.
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
