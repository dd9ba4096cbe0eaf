public import Bluebonnet

/// Something that a cache has done.
@nonexhaustive public enum CacheEvent: Sendable {
    /// A request was answered, or its caller has canceled it while the response was arriving.
    ///
    /// - Parameters:
    ///   - url: The URL of the request.
    ///   - status: What the cache did, as the response says it in `Cache-Status`.
    ///   - savedByteCount: The bytes of the body, with its content codings, that the caller has received
    ///     and no server has sent for it.
    case answered(url: String, status: CacheStatus, savedByteCount: Int)
    /// The store has failed, and requests go on without it.
    case storeFailed(CacheStoreFailure)
}
