import BluebonnetTestSupport
import Foundation

/// What the process holds, as the kernel counts it.
struct HeldResources {
    var residentMebibytes: Double
    /// Allocated and not freed, whatever the allocator keeps besides for each of its threads.
    var allocatedMebibytes: Double
    var openFiles: Int
    var threads: Int

    static var current: Self {
        // What was freed is not held, whatever the allocator keeps of it.
        ProcessState.releaseFreedMemory()
        return Self(
            residentMebibytes: Double(ProcessState.residentMemory) / 1_048_576,
            allocatedMebibytes: Double(ProcessState.allocatedMemory) / 1_048_576,
            openFiles: ProcessState.openFiles, threads: ProcessState.threadCount)
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
}

extension HeldResources: CustomStringConvertible {
    var description: String {
        String(
            format: "%.1f MiB (%.1f allocated), %d files, %d threads", residentMebibytes,
            allocatedMebibytes, openFiles, threads)
    }
}
