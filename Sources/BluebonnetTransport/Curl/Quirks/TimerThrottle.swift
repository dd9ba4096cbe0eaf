import Foundation

/// Slows a pool's timer down where libcurl asks to be called at once without end.
///
/// libcurl 8.14 does that while an exchange is paused that had more to read.
struct TimerThrottle {
    /// How often in a row libcurl is called at once before there are pauses.
    private static let patience = 16
    /// Seconds.
    private static let pause: TimeInterval = 0.01

    private var callCount = 0

    /// Whether libcurl has asked too often in a row.
    var isThrottling: Bool { callCount > Self.patience }

    /// Seconds to wait now that libcurl asks to be called at once.
    mutating func delay(isPoolAtRest: () -> Bool) -> TimeInterval {
        callCount += 1
        return isThrottling && isPoolAtRest() ? Self.pause : 0
    }

    /// Begins to count anew, since there was another reason to call libcurl.
    mutating func reset() {
        callCount = 0
    }
}
