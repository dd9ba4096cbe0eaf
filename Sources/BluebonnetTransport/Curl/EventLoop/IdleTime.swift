import Foundation

/// The time that a connection may stay idle.
struct IdleTime {
    /// The limit in seconds, or nil for none.
    private var limit: TimeInterval?
    /// Whether libcurl would keep the connection longer.
    private(set) var isShorterThanLibcurls = false
    /// When the time ends, or nil if it is not running or has no limit.
    private(set) var end: MonotonicInstant?

    init(limit: TimeInterval? = nil) {
        self.limit = limit
    }

    /// Starts or restarts the time.
    mutating func begin(at now: MonotonicInstant) {
        end = limit.map { now.advanced(by: $0) }
    }

    /// Stops the time, because an exchange holds the connection.
    mutating func stop() { end = nil }

    /// Lowers the limit to what the server announces, and restarts the time if it was running.
    mutating func shorten(to seconds: TimeInterval, at now: MonotonicInstant) {
        guard seconds < limit ?? .infinity else { return }
        let wasRunning = limit == nil || end != nil
        (limit, isShorterThanLibcurls) = (seconds, true)
        if wasRunning { begin(at: now) }
    }

    /// Ends the time at once.
    mutating func finish(at now: MonotonicInstant, isKnownToLibcurl: Bool) {
        (limit, end, isShorterThanLibcurls) = (0, now, !isKnownToLibcurl)
    }

    /// Schedules another check, for a connection that could not be closed when its time ended.
    mutating func checkAgain(after now: MonotonicInstant) {
        end = now.advanced(by: max(1, (limit ?? 0) / 4))
    }
}
