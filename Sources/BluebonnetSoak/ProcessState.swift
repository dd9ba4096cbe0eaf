import CBluebonnetMalloc
import Foundation
import Glibc

/// What the process holds, as the kernel counts it.
struct ProcessState {
    var residentMebibytes: Double
    /// Allocated and not freed, whatever the allocator keeps besides for each of its threads.
    var allocatedMebibytes: Double
    var openFiles: Int
    var threads: Int

    static var current: Self {
        // What was freed is not held, whatever the allocator keeps of it.
        malloc_trim(0)
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        let heap = mallinfo2()
        return Self(
            residentMebibytes: Double(pages * Int(getpagesize())) / 1_048_576,
            allocatedMebibytes: Double(heap.uordblks + heap.hblkhd) / 1_048_576,
            openFiles: count("/proc/self/fd"), threads: count("/proc/self/task"))
    }

    /// Raises each figure to another's.
    mutating func include(_ other: Self) {
        residentMebibytes = max(residentMebibytes, other.residentMebibytes)
        allocatedMebibytes = max(allocatedMebibytes, other.allocatedMebibytes)
        openFiles = max(openFiles, other.openFiles)
        threads = max(threads, other.threads)
    }

    func isWithin(_ bounds: Self) -> Bool {
        residentMebibytes <= bounds.residentMebibytes
            && allocatedMebibytes <= bounds.allocatedMebibytes && openFiles <= bounds.openFiles
            && threads <= bounds.threads
    }

    private static func count(_ directory: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: directory).count) ?? -1
    }
}

extension ProcessState: CustomStringConvertible {
    var description: String {
        String(
            format: "%.1f MiB (%.1f allocated), %d files, %d threads", residentMebibytes,
            allocatedMebibytes, openFiles, threads)
    }
}
