/// A closure that decides whether a request is sent again.
public typealias RetryHandler =
    @Sendable (
        _ request: Request, _ session: Session, _ error: any Error,
        _ completion: @escaping @Sendable (RetryResult) -> Void
    ) -> Void

/// A retrier that calls a closure.
open class Retrier: OpenInterceptor, @unchecked Sendable {
    // @unchecked because the class is open: its only stored property is a constant. A subclass
    // protects its own state.
    private let handler: @Sendable (Request, Session, any Error) async -> RetryResult

    /// Creates a retrier from a closure with a completion.
    ///
    /// - Parameter retryHandler: Calls its completion once. Further calls are ignored.
    public init(_ retryHandler: @escaping RetryHandler) {
        let form = CompletionForm(retryHandler)
        handler = { await form.retry($0, for: $1, dueTo: $2) }
    }

    /// Creates a retrier from an `async` closure.
    ///
    /// - Parameter handler: Returns the decision.
    public init(
        async handler: @escaping @Sendable (Request, Session, any Error) async -> RetryResult
    ) {
        self.handler = handler
    }

    override class var libraryType: OpenInterceptor.Type { Retrier.self }

    override func retryItself(
        _ request: Request, for session: Session, dueTo error: any Error
    ) async -> RetryResult {
        await handler(request, session, error)
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
    /// Creates a retrier from a closure with a completion.
    ///
    /// - Parameter closure: Calls its completion once. Further calls are ignored.
    /// - Returns: The retrier.
    public static func retrier(using closure: @escaping RetryHandler) -> Retrier {
        Retrier(closure)
    }

    /// Creates a retrier from an `async` closure.
    ///
    /// - Parameter handler: Returns the decision.
    /// - Returns: The retrier.
    public static func retrier(
        async handler: @escaping @Sendable (Request, Session, any Error) async -> RetryResult
    ) -> Retrier {
        Retrier(async: handler)
    }
}
