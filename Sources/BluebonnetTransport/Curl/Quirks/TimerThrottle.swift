import Foundation

/// A throttle for a pool's timer, when libcurl asks again and again to be called at once.
///
/// libcurl 8.14 does that while a paused exchange has more to read.
struct TimerThrottle {
    /// The number of immediate calls in a row before calls are delayed.
    private static let patience = 16
    /// The delay in seconds.
    private static let pause: TimeInterval = 0.01

    private var callCount = 0

    /// Whether libcurl has asked too often in a row to be called at once.
    var isThrottling: Bool { callCount > Self.patience }

    /// Returns the seconds to wait after libcurl asked to be called at once.
    mutating func delay(isPoolAtRest: () -> Bool) -> TimeInterval {
        callCount += 1
        return isThrottling && isPoolAtRest() ? Self.pause : 0
    }

    /// Restarts the count, because there was another reason to call libcurl.
    mutating func reset() {
        callCount = 0
    }
}
