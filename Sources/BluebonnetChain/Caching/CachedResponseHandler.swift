public import Bluebonnet

/// A type that decides what a cache stores of a response.
///
/// Use a handler for one request with ``Bluebonnet/SessionTask/cacheResponse(using:)``, or for all
/// tasks of a manager with ``Bluebonnet/SessionManager/setCachedResponseHandler(_:)``. It is asked
/// only if the manager's transport is a cache, such as `CachingTransport` of the product
/// BluebonnetCache.
///
/// Implement one of the two methods. The default implementation of each calls the other. With a
/// handler that implements neither, nothing is stored. A method with a different signature is never
/// called.
public protocol CachedResponseHandler: Sendable {
    /// Returns what is stored.
    ///
    /// The method is called in a Swift task, delays no request, and has no time limit. It can be
    /// called after the request has finished.
    ///
    /// - Parameters:
    ///   - task: The task that received the response, of any kind.
    ///   - response: The proposed response.
    /// - Returns: The response to store, or nil to store nothing.
    func dataTask(
        _ task: SessionTask, willCacheResponse response: CachedResponse
    ) async -> CachedResponse?

    /// Passes what is stored to a closure.
    ///
    /// Call the closure once. Further calls are ignored.
    func dataTask(
        _ task: SessionTask, willCacheResponse response: CachedResponse,
        completion: @escaping @Sendable (CachedResponse?) -> Void)
}

extension CachedResponseHandler {
    /// Calls the completion form if it is implemented; otherwise stores nothing.
    public func dataTask(
        _ task: SessionTask, willCacheResponse response: CachedResponse
    ) async -> CachedResponse? {
        do {
            let answer: CachedResponse?? = try await InterceptorBridge.ask(self, .cache) {
                complete in
                self.dataTask(task, willCacheResponse: response, completion: complete)
            }
            // A handler with neither form might be ported code that refuses what is secret.
            return answer ?? nil
        } catch {
            // The cache no longer wants an answer.
            return nil
        }
    }

    /// Calls the `async` form if it is implemented; otherwise stores nothing.
    public func dataTask(
        _ task: SessionTask, willCacheResponse response: CachedResponse,
        completion: @escaping @Sendable (CachedResponse?) -> Void
    ) {
        guard !InterceptorBridge.isAsked(self, .cache) else { return }
        Task { completion(await self.dataTask(task, willCacheResponse: response)) }
    }
}

extension SessionManager {
    /// Sets the handler that decides what a cache stores, for tasks without their own handler.
    ///
    /// The handler replaces the closure of the hook
    /// ``/Bluebonnet/SessionManager/dataTaskWillCacheResponse(_:proposedResponse:)``.
    ///
    /// - Parameter handler: The handler, or nil to leave the decision to the cache.
    public func setCachedResponseHandler(_ handler: (any CachedResponseHandler)?) {
        guard let handler else { return dataTaskWillCacheResponse = nil }
        dataTaskWillCacheResponse = { task, response in
            await handler.dataTask(task, willCacheResponse: response)
        }
    }
}
