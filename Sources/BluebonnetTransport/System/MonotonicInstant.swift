import Foundation
import Glibc

/// An instant on `CLOCK_MONOTONIC`, in nanoseconds.
struct MonotonicInstant: Comparable, Sendable {
    let nanoseconds: UInt64

    static var now: Self {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Self(nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
    }

    static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

    /// Returns the instant a number of seconds later, or the last one if the sum overflows.
    func advanced(by seconds: TimeInterval) -> Self {
        let step = UInt64(exactly: (max(0, seconds) * 1_000_000_000).rounded()) ?? .max
        let (sum, overflow) = nanoseconds.addingReportingOverflow(step)
        return Self(nanoseconds: overflow ? .max : sum)
    }

    /// Returns the instant a number of milliseconds earlier.
    func before(milliseconds: UInt64) -> Self {
        let (step, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
        return Self(nanoseconds: overflow || step > nanoseconds ? 0 : nanoseconds - step)
    }

    /// Returns the seconds from an earlier instant to this one, or 0 if that instant is later.
    func seconds(since earlier: Self) -> TimeInterval {
        nanoseconds > earlier.nanoseconds
            ? Double(nanoseconds - earlier.nanoseconds) / 1_000_000_000 : 0
    }
}
