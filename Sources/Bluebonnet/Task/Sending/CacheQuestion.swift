package import BluebonnetTransport

/// A handler that decides what a cache stores of a response.
package typealias CacheHandler =
    @Sendable (SessionTask, CachedResponse) async -> CachedResponse?

// The question of a cache, which it asks before it stores a response.
extension OutgoingRequest {
    /// Whether a handler, a hook or a monitor wants to know what a cache stores.
    var isCacheHeard: Bool { cacheHandler != nil || delegate.isHeard(.willCacheResponse) }

    /// What a cache calls before it stores the response.
    ///
    /// A cache can call it after the task has ended. It keeps what has to decide alive, because a
    /// hook that is skipped would allow what it exists to refuse.
    var cacheQuestion: CachedResponse.Hook {
        let delegate = delegate
        if let cacheHandler {
            return .decide { await delegate.decide(about: $0, cacheHandler) }
        }
        let hooked = delegate.session.audience.hooked
        guard hooked.contains(.willCacheResponse), let manager = delegate.manager else {
            // Without any influence on callers that share the exchange.
            return .observe { [weak delegate] in delegate?.emit(.willCacheResponse($0)) }
        }
        return .decide { proposed in
            await delegate.decide(about: proposed) { task, proposed in
                await manager.dataTaskWillCacheResponse(task, proposedResponse: proposed)
            }
        }
    }
}

extension TaskDelegate {
    fileprivate func decide(
        about proposed: CachedResponse, _ handler: @escaping CacheHandler
    ) async -> CachedResponse? {
        emit(.willCacheResponse(proposed))
        let task = handle
        return await withTaskExecutorPreference(session.work.clock?.taskExecutor) {
            await handler(task, proposed)
        }
    }
}
