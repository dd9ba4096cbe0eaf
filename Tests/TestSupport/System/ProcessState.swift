import CBluebonnetMalloc
import Foundation
import Glibc

/// What the process holds, as the kernel counts it.
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

    /// Bytes of resident memory.
    package static var residentMemory: Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(getpagesize())
    }

    /// Gives what was freed back to the system, so that it cannot hide what is allocated next.
    package static func releaseFreedMemory() { malloc_trim(0) }

    /// Bytes allocated and not freed, whatever the allocator keeps besides.
    package static var allocatedMemory: Int {
        let information = mallinfo2()
        return information.uordblks + information.hblkhd
    }

    /// The most resident memory, in bytes, since ``forgetPeakMemory()``, as the kernel saw it.
    package static var peakMemory: Int { status("VmHWM") }

    /// Bytes of addresses in use.
    package static var virtualMemory: Int { status("VmSize") }

    private static func status(_ name: String) -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return (line.flatMap { Int($0.filter(\.isNumber)) } ?? 0) * 1024
    }

    /// Sets the peak to what is resident now.
    package static func forgetPeakMemory() {
        let descriptor = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = write(descriptor, "5", 1)
        close(descriptor)
    }

    /// Seconds of user and system time so far.
    package static var processorTime: Double {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        func seconds(_ time: timeval) -> Double {
            Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000
        }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    /// Seconds of processor time of the threads of a name that live.
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

    /// Whether a sanitizer is at work, whose memory and time say nothing about ours.
    package static var isSanitized: Bool {
        dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil
    }
}
