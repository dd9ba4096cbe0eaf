import BluebonnetTestSupport
import Glibc

/// The resource usage of this process at the beginning of a measurement.
struct ProcessMeter {
    private let wallSeconds: Double
    private let cpuSeconds: Double
    private let idleMebibytes: Double

    /// Waits until the warm-up has settled, records the idle memory, and starts the clocks.
    static func startWhenQuiet() -> ProcessMeter {
        usleep(200_000)
        ProcessState.releaseFreedMemory()
        let idle = mebibytes(ProcessState.residentMemory)
        // If the kernel refuses, the peak remains the one since the process started.
        ProcessState.forgetPeakMemory()
        let cpu = ProcessState.processorTime
        return ProcessMeter(
            wallSeconds: MonotonicClock.seconds, cpuSeconds: cpu, idleMebibytes: idle
        )
    }

    /// Returns a meter that starts at the process's start, a time of ``MonotonicClock``.
    static func since(nanoseconds: Int) -> ProcessMeter {
        ProcessMeter(wallSeconds: Double(nanoseconds) / 1e9, cpuSeconds: 0, idleMebibytes: 0)
    }

    func finish(requests: Int, bytes: Int) -> ClientRun {
        let wall = MonotonicClock.seconds
        let cpu = ProcessState.processorTime
        return ClientRun(
            seconds: wall - wallSeconds,
            cpuSeconds: cpu - cpuSeconds,
            requests: requests,
            bytes: bytes,
            idleMemoryMebibytes: idleMebibytes,
            peakMemoryMebibytes: Self.mebibytes(ProcessState.peakMemory)
        )
    }

    private static func mebibytes(_ bytes: Int) -> Double { Double(bytes) / 1_048_576 }
}
