import Foundation
import Glibc

/// A moment on the clock that only goes forward, in nanoseconds.
struct MonotonicInstant: Comparable, Sendable {
    let nanoseconds: UInt64

    static var now: Self {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Self(nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
    }

    static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

    /// Later by that many seconds; a number too large for the clock means its end.
    func advanced(by seconds: TimeInterval) -> Self {
        let step = UInt64(exactly: (max(0, seconds) * 1_000_000_000).rounded()) ?? .max
        let (sum, overflow) = nanoseconds.addingReportingOverflow(step)
        return Self(nanoseconds: overflow ? .max : sum)
    }

    /// Seconds from an earlier moment to this one.
    func seconds(since earlier: Self) -> TimeInterval {
        nanoseconds > earlier.nanoseconds
            ? Double(nanoseconds - earlier.nanoseconds) / 1_000_000_000 : 0
    }
}
