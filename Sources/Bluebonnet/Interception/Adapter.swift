public import FoundationNetworking

/// A closure that answers with the request to send.
public typealias AdaptHandler =
    @Sendable (
        _ urlRequest: URLRequest, _ session: Session,
        _ completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) -> Void

/// An adapter made of a closure.
open class Adapter: RequestInterceptor, @unchecked Sendable {
    // @unchecked because the class is open: its own state is a constant. A subclass that stores state of its own
    // protects it itself.
    private let handler: @Sendable (URLRequest, Session) async throws -> URLRequest

    /// Creates an adapter from a closure with a completion.
    ///
    /// - Parameter adaptHandler: Calls its completion once; further calls are ignored.
    public init(_ adaptHandler: @escaping AdaptHandler) {
        let form = CompletionForm(adaptHandler)
        handler = { try await form.adapt($0, for: $1) }
    }

    /// Creates an adapter from an `async` closure.
    ///
    /// - Parameter handler: Returns the request to send.
    public init(async handler: @escaping @Sendable (URLRequest, Session) async throws -> URLRequest)
    {
        self.handler = handler
    }

    /// Returns what the closure answers.
    ///
    /// - Parameters:
    ///   - urlRequest: The request.
    ///   - session: The manager.
    /// - Returns: The request to send.
    /// - Throws: The closure's error.
    open func adapt(_ urlRequest: URLRequest, for session: Session) async throws -> URLRequest {
        try await handler(urlRequest, session)
    }

    /// Returns what the closure answers.
    ///
    /// - Parameters:
    ///   - urlRequest: The request.
    ///   - state: The attempt.
    /// - Returns: The request to send.
    /// - Throws: The closure's error.
    open func adapt(
        _ urlRequest: URLRequest, using state: RequestAdapterState
    ) async throws -> URLRequest {
        try await adapt(urlRequest, for: state.session)
    }

    /// Does nothing.
    ///
    /// - Parameter attempt: How the attempt has ended.
    open func attemptDidEnd(_ attempt: EndedAttempt) {
        // Not of a subclass, which may call this one from its own.
        guard type(of: self) == Adapter.self else { return }
        InterceptorBridge.noteDefault(.attemptDidEnd, of: Adapter.self)
    }

    private struct CompletionForm: RequestAdapter {
        let handler: AdaptHandler

        init(_ handler: @escaping AdaptHandler) { self.handler = handler }

        func adapt(
            _ urlRequest: URLRequest, for session: Session,
            completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
        ) { handler(urlRequest, session, completion) }
    }
}

extension RequestAdapter where Self == Adapter {
    /// An adapter made of a closure with a completion.
    ///
    /// - Parameter closure: Calls its completion once; further calls are ignored.
    /// - Returns: The adapter.
    public static func adapter(using closure: @escaping AdaptHandler) -> Adapter {
        Adapter(closure)
    }

    /// An adapter made of an `async` closure.
    ///
    /// - Parameter handler: Returns the request to send.
    /// - Returns: The adapter.
    public static func adapter(
        async handler: @escaping @Sendable (URLRequest, Session) async throws -> URLRequest
    ) -> Adapter {
        Adapter(async: handler)
    }
}
