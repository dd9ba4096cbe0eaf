import Glibc

/// The monotonic clock, which all processes of the machine share.
package enum MonotonicClock {
    package static var nanoseconds: Int {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return now.tv_sec * 1_000_000_000 + now.tv_nsec
    }

    package static var seconds: Double { Double(nanoseconds) / 1e9 }
}
