import Bluebonnet
import Foundation
import Glibc

/// A program run as a child, in a process group of its own, that does not outlive this process.
///
/// Its environment holds nothing of ours but PATH, so that no proxy variable or dot file changes
/// what a test sees. Of our open files it inherits none: a copy would keep the connections of other
/// tests open.
final class ChildProcess: Sendable {
    private enum State {
        case running
        case ended(status: Int32)
    }

    private let identifier: pid_t
    private let stopSignal: StopSignal
    private let stopDeadline: Duration
    private let state = Locked(State.running)

    /// Starts a program in a directory.
    ///
    /// - Parameters:
    ///   - program: The path of the program.
    ///   - arguments: Its arguments, without its name.
    ///   - directory: Its working directory and home.
    ///   - output: The file in the directory to which it writes what it says.
    ///   - errors: The same for standard error; nil for the same file.
    ///   - stopSignal: What ends it, and its own children with it.
    ///   - stopDeadline: How long it may take for that before it is killed.
    /// - Returns: The running program, which ends with the object.
    /// - Throws: ``ServerFailure`` when it cannot be started.
    static func start(
        _ program: String, _ arguments: [String], in directory: ServerDirectory,
        output: String, errors: String? = nil, stopSignal: StopSignal = .terminate,
        stopDeadline: Duration = .seconds(2)
    ) async throws -> ChildProcess {
        let setpriv = try InstalledProgram(name: "setpriv").locate()
        let limited = [setpriv, "--pdeathsig", stopSignal.rawValue, program] + arguments
        // setpriv changes the directory for nobody, env does.
        let words = ["/usr/bin/env", "-C", directory.path] + limited
        let files = SpawnFiles(
            output: directory.path(of: output),
            errors: errors.map { directory.path(of: $0) })
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/sbin:/usr/bin:/sbin:/bin"
        let environment = ["PATH=\(path)", "HOME=\(directory.path)", "LC_ALL=C.UTF-8"]
        let identifier = try await LastingThread.run {
            try spawn(words, environment: environment, files)
        }
        return ChildProcess(
            identifier: identifier, stopSignal: stopSignal, stopDeadline: stopDeadline)
    }

    private init(identifier: pid_t, stopSignal: StopSignal, stopDeadline: Duration) {
        self.identifier = identifier
        self.stopSignal = stopSignal
        self.stopDeadline = stopDeadline
    }

    deinit {
        stop()
    }

    /// The exit status of a program that ended; 128 plus the signal that killed it; nil before.
    var exitStatus: Int32? {
        state.withLock { state in
            if case .ended(let status) = state { return status }
            var status: Int32 = 0
            let found = waitpid(identifier, &status, WNOHANG)
            // Somebody else took the status (ECHILD): there is nothing to wait for any more.
            let isLost = found < 0 && errno == ECHILD
            guard found == identifier || isLost else { return nil }
            let signal = status & 0x7F
            let exit = isLost ? -1 : signal == 0 ? (status >> 8) & 0xFF : 128 + signal
            state = .ended(status: exit)
            return exit
        }
    }

    /// Waits for the program's own end, and ends it when it takes too long.
    func wait(seconds: Int) async throws -> Int32 {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(seconds)
        while clock.now < end {
            if let exitStatus { return exitStatus }
            try await clock.sleep(for: .milliseconds(2))
        }
        stop()
        throw ServerFailure("a command did not end within \(seconds) s")
    }

    /// Ends the program and its children; first with its signal, for it may have some to end.
    func stop() {
        guard exitStatus == nil else { return }
        kill(identifier, stopSignal.number)
        let end = ContinuousClock.now + stopDeadline
        while !hasEnded, ContinuousClock.now < end { usleep(1_000) }
        // Not yet waited for, the group's leader keeps the group's number from other processes.
        kill(-identifier, SIGKILL)
        while exitStatus == nil { usleep(1_000) }
    }

    private var hasEnded: Bool {
        var information = siginfo_t()
        waitid(P_PID, id_t(identifier), &information, WEXITED | WNOHANG | WNOWAIT)
        return information.si_signo == SIGCHLD
    }
}
