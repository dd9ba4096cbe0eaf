/// A closure that decides whether a request is sent again.
public typealias RetryHandler =
    @Sendable (
        _ request: Request, _ session: Session, _ error: any Error,
        _ completion: @escaping @Sendable (RetryResult) -> Void
    ) -> Void

/// A retrier made of a closure.
open class Retrier: RequestInterceptor, @unchecked Sendable {
    // @unchecked because the class is open: its own state is a constant. A subclass that stores state of its own
    // protects it itself.
    private let handler: @Sendable (Request, Session, any Error) async -> RetryResult

    /// Creates a retrier from a closure with a completion.
    ///
    /// - Parameter retryHandler: Calls its completion once; further calls are ignored.
    public init(_ retryHandler: @escaping RetryHandler) {
        let form = CompletionForm(retryHandler)
        handler = { await form.retry($0, for: $1, dueTo: $2) }
    }

    /// Creates a retrier from an `async` closure.
    ///
    /// - Parameter handler: Returns what happens next.
    public init(
        async handler: @escaping @Sendable (Request, Session, any Error) async -> RetryResult
    ) {
        self.handler = handler
    }

    /// Returns what the closure answers.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - session: The manager.
    ///   - error: Why the attempt failed.
    /// - Returns: What happens next.
    open func retry(
        _ request: Request, for session: Session, dueTo error: any Error
    ) async -> RetryResult {
        await handler(request, session, error)
    }

    /// Returns the request as it is.
    ///
    /// - Parameters:
    ///   - urlRequest: The request.
    ///   - state: The attempt.
    /// - Returns: The request.
    /// - Throws: Nothing, unless a subclass does.
    open func adapt(
        _ urlRequest: URLRequest, using state: RequestAdapterState
    ) async throws -> URLRequest { urlRequest }

    /// Does nothing.
    ///
    /// - Parameter attempt: How the attempt has ended.
    open func attemptDidEnd(_ attempt: EndedAttempt) {
        // Not of a subclass, which may call this one from its own.
        guard type(of: self) == Retrier.self else { return }
        InterceptorBridge.noteDefault(.attemptDidEnd, of: Retrier.self)
    }

    private struct CompletionForm: RequestRetrier {
        let handler: RetryHandler

        init(_ handler: @escaping RetryHandler) { self.handler = handler }

        func retry(
            _ request: Request, for session: Session, dueTo error: any Error,
            completion: @escaping @Sendable (RetryResult) -> Void
        ) { handler(request, session, error, completion) }
    }
}

extension RequestRetrier where Self == Retrier {
    /// A retrier made of a closure with a completion.
    ///
    /// - Parameter closure: Calls its completion once; further calls are ignored.
    /// - Returns: The retrier.
    public static func retrier(using closure: @escaping RetryHandler) -> Retrier {
        Retrier(closure)
    }

    /// A retrier made of an `async` closure.
    ///
    /// - Parameter handler: Returns what happens next.
    /// - Returns: The retrier.
    public static func retrier(
        async handler: @escaping @Sendable (Request, Session, any Error) async -> RetryResult
    ) -> Retrier {
        Retrier(async: handler)
    }
}
