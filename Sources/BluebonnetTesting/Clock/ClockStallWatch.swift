/// Whether a clock has changed since a watch began.
struct ClockStallWatch {
    /// The number of changes of the clock.
    var changeCount = 0
    /// Whether a standstill was reported, which happens at most once.
    var isReported = false
    private var isWatched = false

    /// Returns the number of changes so far, or nil if a watch is under way or no longer needed.
    mutating func beginWatch() -> Int? {
        if isWatched || isReported { return nil }
        isWatched = true
        return changeCount
    }

    /// Returns whether nothing has changed since the watch began.
    mutating func endWatch(since count: Int) -> Bool {
        isWatched = false
        return count == changeCount
    }
}
