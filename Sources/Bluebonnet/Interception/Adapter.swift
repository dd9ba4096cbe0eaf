public import FoundationNetworking

/// A closure that passes the request to send to a completion closure.
public typealias AdaptHandler =
    @Sendable (
        _ urlRequest: URLRequest, _ session: Session,
        _ completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) -> Void

/// An adapter that calls a closure.
open class Adapter: OpenInterceptor, @unchecked Sendable {
    // @unchecked because the class is open: its only stored property is a constant. A subclass
    // protects its own state.
    private let handler: @Sendable (URLRequest, Session) async throws -> URLRequest

    /// Creates an adapter from a closure with a completion.
    ///
    /// - Parameter adaptHandler: Calls its completion once. Further calls are ignored.
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

    override class var libraryType: OpenInterceptor.Type { Adapter.self }

    override func adaptItself(
        _ urlRequest: URLRequest, for session: Session, in state: RequestAdapterState?
    ) async throws -> URLRequest {
        try await handler(urlRequest, session)
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
    /// Creates an adapter from a closure with a completion.
    ///
    /// - Parameter closure: Calls its completion once. Further calls are ignored.
    /// - Returns: The adapter.
    public static func adapter(using closure: @escaping AdaptHandler) -> Adapter {
        Adapter(closure)
    }

    /// Creates an adapter from an `async` closure.
    ///
    /// - Parameter handler: Returns the request to send.
    /// - Returns: The adapter.
    public static func adapter(
        async handler: @escaping @Sendable (URLRequest, Session) async throws -> URLRequest
    ) -> Adapter {
        Adapter(async: handler)
    }
}
