import CBluebonnetMalloc
import Foundation
import Glibc

/// The resources and the CPU time that the process uses.
package enum ProcessState {
    package static var openFiles: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? -1
    }

    package static var threadCount: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? -1
    }

    package static var threadNames: [String] {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return tasks.compactMap { task in
            try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)
                .trimmingCharacters(in: .newlines)
        }
    }

    /// The resident memory in bytes.
    package static var residentMemory: Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(getpagesize())
    }

    /// Returns freed memory to the system, so that it cannot hide new allocations.
    package static func releaseFreedMemory() { malloc_trim(0) }

    /// The bytes that are allocated and not freed, without the allocator's reserves.
    package static var allocatedMemory: Int {
        let information = mallinfo2()
        return information.uordblks + information.hblkhd
    }

    /// The largest resident memory since ``forgetPeakMemory()``, in bytes, according to the kernel.
    package static var peakMemory: Int { status("VmHWM") }

    /// The size of the address space in use, in bytes.
    package static var virtualMemory: Int { status("VmSize") }

    private static func status(_ name: String) -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return (line.flatMap { Int($0.filter(\.isNumber)) } ?? 0) * 1024
    }

    /// Resets the peak to the current resident memory.
    package static func forgetPeakMemory() {
        let descriptor = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = write(descriptor, "5", 1)
        close(descriptor)
    }

    /// The seconds of user and system time so far.
    package static var processorTime: Double {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        func seconds(_ time: timeval) -> Double {
            Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000
        }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    /// Returns the seconds of CPU time of the live threads with this name.
    package static func processorTime(ofThreadsNamed name: String) -> Double {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        let nanoseconds = tasks.compactMap { task -> Int? in
            let place = "/proc/self/task/\(task)/"
            guard let comm = try? String(contentsOfFile: place + "comm", encoding: .utf8),
                comm.trimmingCharacters(in: .newlines) == name
            else { return nil }
            let times = try? String(contentsOfFile: place + "schedstat", encoding: .utf8)
            return times?.split(separator: " ").first.flatMap { Int($0) }
        }
        return Double(nanoseconds.reduce(0, +)) / 1_000_000_000
    }

    /// Whether a sanitizer is active, which distorts the figures for memory and time.
    package static var isSanitized: Bool {
        dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil
    }
}
