import Foundation

/// How long a connection may stay idle, and until when.
struct IdleTime {
    /// Seconds; nil for no limit.
    private var limit: TimeInterval?
    /// Whether libcurl would keep the connection longer.
    private(set) var isShorterThanLibcurls = false
    /// When the time is over; nil before it has begun, and without a limit.
    private(set) var end: MonotonicInstant?

    init(limit: TimeInterval? = nil) {
        self.limit = limit
    }

    /// Begins the time, or begins it again.
    mutating func begin(at now: MonotonicInstant) {
        end = limit.map { now.advanced(by: $0) }
    }

    /// Stops the time, because an exchange holds the connection.
    mutating func stop() { end = nil }

    /// Limits the time to what the server announces, and begins it again if it was running.
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

    /// Has the connection checked again later, if it could not be closed when its time was over.
    mutating func checkAgain(after now: MonotonicInstant) {
        end = now.advanced(by: max(1, (limit ?? 0) / 4))
    }
}
