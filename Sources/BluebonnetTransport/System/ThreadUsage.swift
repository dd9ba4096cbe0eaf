import Glibc

/// What a thread has used of the machine so far.
package struct ThreadUsage: Sendable {
    /// In nanoseconds.
    package let processorTime: UInt64
    /// How often it has waited for something.
    package let waitCount: Int

    /// That of the calling thread.
    package static var current: ThreadUsage {
        var usage = rusage()
        getrusage(ofThread, &usage)
        return ThreadUsage(
            processorTime: nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime),
            waitCount: usage.ru_nvcsw
        )
    }

    /// `RUSAGE_THREAD`, which is a macro that Swift does not see.
    private static let ofThread: Int32 = 1

    private static func nanoseconds(_ time: timeval) -> UInt64 {
        UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_usec) * 1000
    }

    /// What all threads of the process have used, in nanoseconds.
    package static var processorTimeOfProcess: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
