public import FoundationNetworking

/// A redirect handler that follows redirects, does not, or changes what follows.
public struct Redirector: RedirectHandler {
    /// What happens to redirects.
    public enum Behavior: Sendable {
        /// They are followed, as far as ``SessionConfiguration`` lets them.
        case follow
        /// None is followed: the first is the response.
        case doNotFollow
        /// A closure returns the request to send next; with nil the redirect is the response.
        case modify(
            @Sendable (_ task: SessionTask, _ request: URLRequest, _ response: HTTPURLResponse) ->
                URLRequest?)
    }

    /// A redirector that follows redirects.
    public static let follow = Redirector(behavior: .follow)
    /// A redirector that follows none.
    public static let doNotFollow = Redirector(behavior: .doNotFollow)

    /// What happens to redirects.
    public let behavior: Behavior

    /// Creates a redirector.
    ///
    /// - Parameter behavior: What happens to redirects.
    public init(behavior: Behavior) {
        self.behavior = behavior
    }

    /// Returns the request to send next, by the behavior.
    public func task(
        _ task: SessionTask, willBeRedirectedTo request: URLRequest, for response: HTTPURLResponse
    ) async -> URLRequest? {
        switch behavior {
        case .follow: request
        case .doNotFollow: nil
        case .modify(let closure): closure(task, request, response)
        }
    }

    /// The rule that needs no question; nil if there is a closure to ask.
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

    /// A redirector that follows none.
    public static var doNotFollow: Redirector { .doNotFollow }

    /// A redirector that changes what follows.
    ///
    /// - Parameter closure: Returns the request to send next; with nil the redirect is the response.
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
