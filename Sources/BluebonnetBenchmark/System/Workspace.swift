import Foundation
import Glibc

// Sendable: the lock guards everything that changes.
/// The temporary directory and the running processes: what no exit may leave behind.
final class Workspace: @unchecked Sendable {
    let directory: URL

    /// Guards everything below.
    private let lock = NSLock()
    private var processes: [(process: Process, stopSignal: Int32)] = []

    init() throws {
        directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("bluebonnet-benchmark-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }

    /// A process inherits the driver's blocked signals, so that most heed SIGKILL alone.
    func start(_ process: Process, stopSignal: Int32 = SIGKILL) throws {
        try lock.withLock {
            try process.run()
            processes.append((process, stopSignal))
        }
    }

    func forget(_ process: Process) {
        lock.withLock { processes.removeAll { $0.process === process } }
    }

    func close() {
        lock.withLock(removeEverything)
    }

    /// Keeps the lock for good: another thread that would start or conclude something while the
    /// process ends has to wait instead.
    func closeAndExit(status: Int32) -> Never {
        lock.lock()
        removeEverything()
        _exit(status)
    }

    private func removeEverything() {
        for (process, stopSignal) in processes {
            Self.stop(process, stopSignal)
        }
        processes = []
        try? FileManager.default.removeItem(at: directory)
    }

    private static func stop(_ process: Process, _ signal: Int32) {
        guard process.isRunning else { return }
        kill(process.processIdentifier, signal)
        for _ in 0..<200 where process.isRunning {
            usleep(10_000)
        }
        if process.isRunning {
            kill(process.processIdentifier, SIGKILL)
        }
    }
}
