import Glibc

/// An instant on the monotonic clock, in nanoseconds.
struct MonotonicTime: Comparable, Sendable {
    /// One year: long enough to mean "never" in a test, short enough to avoid an overflow.
    private static let longestDelay = 365 * 86_400_000

    var nanoseconds: UInt64

    static var now: MonotonicTime {
        var time = Glibc.timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(
            nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
    }

    static func after(milliseconds: Int) -> MonotonicTime {
        let delay = UInt64(min(max(milliseconds, 0), longestDelay))
        return MonotonicTime(nanoseconds: now.nanoseconds + delay * 1_000_000)
    }

    static func < (left: MonotonicTime, right: MonotonicTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    var timespec: Glibc.timespec {
        Glibc.timespec(
            tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    }

    /// The time left, rounded up so that a sleeping loop never wakes just before the deadline.
    var millisecondsFromNow: Int32 {
        let now = MonotonicTime.now.nanoseconds
        guard nanoseconds > now else { return 0 }
        return Int32(clamping: (nanoseconds - now + 999_999) / 1_000_000)
    }
}
