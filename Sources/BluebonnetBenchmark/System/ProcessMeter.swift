import CBluebonnetMalloc
import Foundation
import Glibc

/// What this process had used when the measured part began.
struct ProcessMeter {
    private let wallSeconds: Double
    private let cpuSeconds: Double
    private let idleMebibytes: Double

    /// Waits until the warm-up has settled, notes the idle memory, and starts the clocks.
    static func startWhenQuiet() -> ProcessMeter {
        usleep(200_000)
        malloc_trim(0)
        let idle = statusMebibytes("VmRSS:")
        resetPeakMemory()
        let cpu = currentCPUSeconds()
        return ProcessMeter(
            wallSeconds: currentWallSeconds(), cpuSeconds: cpu, idleMebibytes: idle
        )
    }

    /// Counts from the process's start, at that time of ``MonotonicClock``.
    static func since(nanoseconds: Int) -> ProcessMeter {
        ProcessMeter(wallSeconds: Double(nanoseconds) / 1e9, cpuSeconds: 0, idleMebibytes: 0)
    }

    func finish(requests: Int, bytes: Int) -> ClientRun {
        let wall = Self.currentWallSeconds()
        let cpu = Self.currentCPUSeconds()
        return ClientRun(
            seconds: wall - wallSeconds,
            cpuSeconds: cpu - cpuSeconds,
            requests: requests,
            bytes: bytes,
            idleMemoryMebibytes: idleMebibytes,
            peakMemoryMebibytes: Self.statusMebibytes("VmHWM:")
        )
    }

    private static func currentWallSeconds() -> Double {
        Double(MonotonicClock.nanoseconds()) / 1e9
    }

    private static func currentCPUSeconds() -> Double {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) / 1e6
    }

    private static func statusMebibytes(_ field: String) -> Double {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix(field) }
        let kibibytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first
        return (kibibytes.flatMap { Double($0) } ?? 0) / 1024
    }

    /// Where the kernel refuses, VmHWM stays the peak since start, as ru_maxrss would be.
    private static func resetPeakMemory() {
        guard let file = fopen("/proc/self/clear_refs", "w") else { return }
        fputs("5", file)
        fclose(file)
    }
}
