public import FoundationNetworking

/// A redirect handler that follows redirects, refuses them, or changes the next request.
public struct Redirector: RedirectHandler {
    /// What a redirector does with redirects.
    public enum Behavior: Sendable {
        /// Follows redirects, within the limits of ``SessionConfiguration``.
        case follow
        /// Follows no redirect, so the first one is the response.
        case doNotFollow
        /// Calls a closure that returns the next request, or nil to make the redirect the response.
        case modify(
            @Sendable (_ task: SessionTask, _ request: URLRequest, _ response: HTTPURLResponse) ->
                URLRequest?)
    }

    /// A redirector that follows redirects.
    public static let follow = Redirector(behavior: .follow)
    /// A redirector that follows no redirects.
    public static let doNotFollow = Redirector(behavior: .doNotFollow)

    /// What the redirector does with redirects.
    public let behavior: Behavior

    /// Creates a redirector.
    ///
    /// - Parameter behavior: What the redirector does with redirects.
    public init(behavior: Behavior) {
        self.behavior = behavior
    }

    /// Returns the request to send next, according to the behavior.
    public func task(
        _ task: SessionTask, willBeRedirectedTo request: URLRequest, for response: HTTPURLResponse
    ) async -> URLRequest? {
        switch behavior {
        case .follow: request
        case .doNotFollow: nil
        case .modify(let closure): closure(task, request, response)
        }
    }

    /// The equivalent rule, or nil if a closure must be called.
    var rule: RedirectRule? {
        switch behavior {
        case .follow: .follow
        case .doNotFollow: .doNotFollow
        case .modify: nil
        }
    }
}

extension RedirectHandler where Self == Redirector {
    /// A redirector that follows redirects.
    public static var follow: Redirector { .follow }

    /// A redirector that follows no redirects.
    public static var doNotFollow: Redirector { .doNotFollow }

    /// Returns a redirector that changes the next request.
    ///
    /// - Parameter closure: Returns the next request, or nil to make the redirect the response.
    /// - Returns: The redirector.
    public static func modify(
        using closure:
            @escaping @Sendable (
                _ task: SessionTask, _ request: URLRequest, _ response: HTTPURLResponse
            ) -> URLRequest?
    ) -> Redirector {
        Redirector(behavior: .modify(closure))
    }
}
