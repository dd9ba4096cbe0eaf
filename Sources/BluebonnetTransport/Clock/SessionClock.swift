public import Foundation

/// The source of time for everything above the transport that waits or needs a date.
///
/// Deadlines and other waits use ``schedule(after:_:)``. Cookies, which expire at a date, use ``date``.
/// The default is ``SystemClock``; ``ClockAdapter`` makes a session clock of any Swift `Clock`.
public protocol SessionClock: Sendable {
    /// The time since an origin that stays the same for the lifetime of the clock.
    ///
    /// It never decreases, whatever happens to the system's date. A deadline is a sum of `now` and
    /// a duration, and what remains of it is a difference.
    var now: Duration { get }

    /// The current date.
    var date: Date { get }

    /// Calls a closure once, after a delay, unless the returned timer is canceled first.
    ///
    /// Accept any delay: zero and negative ones mean at once, and very large ones must not trap. Call
    /// the closure on a thread of the clock, never from within this method. Timers are called in the
    /// order of their deadlines, and those with the same deadline in the order in which they were
    /// scheduled.
    ///
    /// - Parameters:
    ///   - delay: The time from ``now`` to the call.
    ///   - action: The closure to call. It must not block, since it holds up other timers.
    /// - Returns: The timer. Discarding it does not cancel it.
    @discardableResult
    func schedule(
        after delay: Duration, _ action: @escaping @Sendable () -> Void
    ) -> any SessionTimer
}

/// A closure that waits for its time on a ``SessionClock``.
public protocol SessionTimer: Sendable {
    /// Keeps the closure from being called, and releases it.
    ///
    /// Does nothing after the call has begun; it may still be running on another thread then. Call
    /// this on any thread, any number of times, also from within a timer's closure.
    func cancel()
}
