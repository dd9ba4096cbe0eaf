import BluebonnetTestSupport
import Foundation

/// The resources that the process holds.
struct HeldResources {
    var residentMebibytes: Double
    /// Memory that is allocated and not freed, without the allocator's caches for each thread.
    var allocatedMebibytes: Double
    var openFiles: Int
    var threads: Int

    static var current: Self {
        // Freed memory that the allocator keeps does not count as held.
        ProcessState.releaseFreedMemory()
        return Self(
            residentMebibytes: Double(ProcessState.residentMemory) / 1_048_576,
            allocatedMebibytes: Double(ProcessState.allocatedMemory) / 1_048_576,
            openFiles: ProcessState.openFiles, threads: ProcessState.threadCount)
    }

    /// Raises each figure to that of `other`, if that is larger.
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
}

extension HeldResources: CustomStringConvertible {
    var description: String {
        String(
            format: "%.1f MiB (%.1f allocated), %d files, %d threads", residentMebibytes,
            allocatedMebibytes, openFiles, threads)
    }
}
