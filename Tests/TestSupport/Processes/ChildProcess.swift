import BluebonnetTransport
import Foundation
import Glibc

/// A child process in its own process group, which does not outlive this process.
///
/// It inherits no open files of this process, because copies would keep the connections of other
/// tests open.
package final class ChildProcess: Sendable {
    private enum State {
        case running
        case ended(status: Int32)
    }

    private let identifier: pid_t
    private let stopSignal: StopSignal
    private let stopDeadline: Duration
    private let state = Locked(State.running)

    /// Starts a program, which ends when the object is released.
    ///
    /// If ``ChildCommand/endsWithStarter`` is true, the program also ends with the calling thread.
    /// Code that can run on any thread must call ``start(_:)`` instead.
    ///
    /// - Throws: ``ServerFailure`` if the program cannot be started.
    package init(_ command: ChildCommand) throws {
        identifier = try spawn(command)
        stopSignal = command.stopSignal
        stopDeadline = command.stopDeadline
    }

    /// Starts a program, which ends when the object is released.
    ///
    /// - Throws: ``ServerFailure`` if the program cannot be started.
    package static func start(_ command: ChildCommand) async throws -> ChildProcess {
        try await LastingThread.run { try ChildProcess(command) }
    }

    /// Starts a program in a directory, which receives its output and is its home directory.
    ///
    /// The parameters are those of ``ChildCommand``.
    package static func start(
        _ program: String, _ arguments: [String], in directory: ServerDirectory,
        output: String, errors: String? = nil, stopSignal: StopSignal = .terminate,
        stopDeadline: Duration = .seconds(2)
    ) async throws -> ChildProcess {
        var command = ChildCommand(program, arguments, in: directory)
        command.output = output
        command.errors = errors
        command.stopSignal = stopSignal
        command.stopDeadline = stopDeadline
        return try await start(command)
    }

    deinit {
        stop()
    }

    /// The exit status of a program that has ended, or nil while it runs.
    ///
    /// For a program that was killed by a signal, it is 128 plus the signal's number.
    package var exitStatus: Int32? {
        state.withLock { state in
            if case .ended(let status) = state { return status }
            var status: Int32 = 0
            let found = waitpid(identifier, &status, WNOHANG)
            // Another caller has already collected the status, so nothing is left to wait for.
            let isLost = found < 0 && errno == ECHILD
            guard found == identifier || isLost else { return nil }
            let signal = status & 0x7F
            let exit = isLost ? -1 : signal == 0 ? (status >> 8) & 0xFF : 128 + signal
            state = .ended(status: exit)
            return exit
        }
    }

    /// Waits for the program to end by itself.
    ///
    /// Stops the program and throws if it takes too long.
    package func wait(seconds: Int) async throws -> Int32 {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(seconds)
        while clock.now < end {
            if let exitStatus { return exitStatus }
            try await clock.sleep(for: .milliseconds(2))
        }
        stop()
        throw ServerFailure("a command did not end within \(seconds) s")
    }

    /// Blocks the thread until the program ends by itself.
    ///
    /// Stops the program and throws if it takes too long. This process stays idle meanwhile, so
    /// that a measured program has the CPU to itself.
    package func waitBlocking(seconds: Int) throws -> Int32 {
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [identifier] in
            var information = siginfo_t()
            while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) < 0,
                errno == EINTR
            {}
            ended.signal()
        }
        let result = ended.wait(timeout: .now() + .seconds(seconds))
        guard result == .success, let exitStatus else {
            stop()
            throw ServerFailure("a command did not end within \(seconds) s")
        }
        return exitStatus
    }

    /// Stops the program and its children.
    ///
    /// The program first receives its stop signal, so that it can end its children.
    package func stop() {
        guard exitStatus == nil else { return }
        kill(identifier, stopSignal.number)
        let end = ContinuousClock.now + stopDeadline
        while !hasEnded, ContinuousClock.now < end { usleep(1_000) }
        // Until it is waited for, the group's leader keeps the group's number from being reused.
        kill(-identifier, SIGKILL)
        while exitStatus == nil { usleep(1_000) }
    }

    private var hasEnded: Bool {
        var information = siginfo_t()
        waitid(P_PID, id_t(identifier), &information, WEXITED | WNOHANG | WNOWAIT)
        return information.si_signo == SIGCHLD
    }
}
