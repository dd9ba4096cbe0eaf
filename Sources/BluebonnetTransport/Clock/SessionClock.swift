public import Foundation

/// The source of time for everything above the transport that waits or needs a date.
///
/// Deadlines and other waits use ``schedule(after:_:)``. Cookies, which expire at a date, use
/// ``date``. The default is ``SystemClock``. To use a Swift `Clock`, wrap it in a ``ClockAdapter``.
public protocol SessionClock: Sendable {
    /// The time since an origin that stays the same for the lifetime of the clock.
    ///
    /// It never decreases, even if the system's date is set back. A deadline is `now` plus a
    /// duration.
    var now: Duration { get }

    /// The current date.
    var date: Date { get }

    /// Calls a closure once, after a delay, unless the returned timer is canceled first.
    ///
    /// Accept any delay: zero and negative ones mean immediately, and very large ones must not
    /// trap. Call the closure on a thread of the clock, never from within this method. Call timers
    /// in the order of their deadlines, and timers with the same deadline in the order in which
    /// they were scheduled.
    ///
    /// - Parameters:
    ///   - delay: The time from ``now`` to the call.
    ///   - action: The closure to call. It must not block, because that would delay other timers.
    /// - Returns: The timer. Discarding it does not cancel it.
    @discardableResult
    func schedule(
        after delay: Duration, _ action: @escaping @Sendable () -> Void
    ) -> any SessionTimer
}

/// A closure that is scheduled on a ``SessionClock``.
public protocol SessionTimer: Sendable {
    /// Prevents the closure from being called, and releases it.
    ///
    /// Has no effect once the call has begun, and does not wait for it to return. Call this on any
    /// thread, any number of times, even from within a timer's closure.
    func cancel()
}
