import Bluebonnet

/// What a cache has done since it was created.
public struct CacheStatistics: Sendable, Hashable {
    /// The requests that were answered from the store without asking a server.
    public private(set) var hitCount = 0
    /// The requests that were answered from the store after a server has said that nothing has changed.
    public private(set) var validationCount = 0
    /// The requests that were answered from the store because the server had failed.
    public private(set) var staleCount = 0
    /// The requests that shared the exchange of another one.
    public private(set) var collapsedCount = 0
    /// The requests that a server has answered.
    public private(set) var missCount = 0
    /// The requests that the cache has nothing to do with, because of their method for example.
    public private(set) var bypassCount = 0
    /// The bytes of bodies, with their content codings, that callers have received and no server has
    /// sent for them.
    public private(set) var savedByteCount = 0

    /// Adds an answer.
    mutating func count(_ status: CacheStatus, isStored: Bool, savedByteCount: Int) {
        self.savedByteCount += savedByteCount
        if status.isHit {
            hitCount += 1
        } else if status.isCollapsed {
            collapsedCount += 1
        } else if isStored {
            if status.forwardStatus == 304 { validationCount += 1 } else { staleCount += 1 }
        } else if status.forwarding == .bypass || status.forwarding == .method {
            bypassCount += 1
        } else {
            missCount += 1
        }
    }

    mutating func add(_ other: Self) {
        hitCount += other.hitCount
        validationCount += other.validationCount
        staleCount += other.staleCount
        collapsedCount += other.collapsedCount
        missCount += other.missCount
        bypassCount += other.bypassCount
        savedByteCount += other.savedByteCount
    }
}
