public import Bluebonnet

/// A handler that lets responses be stored, refuses that, or changes what is stored.
public struct ResponseCacher: CachedResponseHandler {
    /// What a cacher does with responses.
    public enum Behavior: Sendable {
        /// Stores responses as the cache proposes.
        case cache
        /// Stores no response.
        case doNotCache
        /// Calls a closure that returns what is stored, or nil to store nothing.
        case modify(
            @Sendable (_ task: SessionTask, _ response: CachedResponse) -> CachedResponse?)
    }

    /// A cacher that stores responses as the cache proposes.
    public static let cache = ResponseCacher(behavior: .cache)
    /// A cacher that stores no response.
    public static let doNotCache = ResponseCacher(behavior: .doNotCache)

    /// What the cacher does with responses.
    public let behavior: Behavior

    /// Creates a cacher.
    ///
    /// - Parameter behavior: What the cacher does with responses.
    public init(behavior: Behavior) {
        self.behavior = behavior
    }

    /// Returns what is stored, according to the behavior.
    public func dataTask(
        _ task: SessionTask, willCacheResponse response: CachedResponse
    ) async -> CachedResponse? {
        switch behavior {
        case .cache: response
        case .doNotCache: nil
        case .modify(let closure): closure(task, response)
        }
    }
}

extension CachedResponseHandler where Self == ResponseCacher {
    /// A cacher that stores responses as the cache proposes.
    public static var cache: ResponseCacher { .cache }

    /// A cacher that stores no response.
    public static var doNotCache: ResponseCacher { .doNotCache }

    /// Returns a cacher that changes what is stored.
    ///
    /// - Parameter closure: Returns what is stored, or nil to store nothing.
    /// - Returns: The cacher.
    public static func modify(
        using closure:
            @escaping @Sendable (
                _ task: SessionTask, _ response: CachedResponse
            ) -> CachedResponse?
    ) -> ResponseCacher {
        ResponseCacher(behavior: .modify(closure))
    }
}
