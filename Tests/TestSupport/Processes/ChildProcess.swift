import BluebonnetTransport
import Foundation
import Glibc

/// A program run as a child, in a process group of its own, that does not outlive this process.
///
/// It inherits none of this process's open files: a copy would keep the connections of other tests
/// open.
package final class ChildProcess: Sendable {
    private enum State {
        case running
        case ended(status: Int32)
    }

    private let identifier: pid_t
    private let stopSignal: StopSignal
    private let stopDeadline: Duration
    private let state = Locked(State.running)

    /// Starts a program, which ends with the object.
    ///
    /// If the command says so, the program also ends with the thread that calls this. Code that may
    /// run on any thread calls ``start(_:)`` instead.
    ///
    /// - Throws: ``ServerFailure`` if it cannot be started.
    package init(_ command: ChildCommand) throws {
        identifier = try spawn(command)
        stopSignal = command.stopSignal
        stopDeadline = command.stopDeadline
    }

    /// Starts a program, which ends with the object.
    ///
    /// - Throws: ``ServerFailure`` if it cannot be started.
    package static func start(_ command: ChildCommand) async throws -> ChildProcess {
        try await LastingThread.run { try ChildProcess(command) }
    }

    /// Starts a program in a directory, which receives its output and is its home.
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

    /// The exit status of a program that ended, 128 plus the signal that killed it, or nil before.
    package var exitStatus: Int32? {
        state.withLock { state in
            if case .ended(let status) = state { return status }
            var status: Int32 = 0
            let found = waitpid(identifier, &status, WNOHANG)
            // Another caller took the status (ECHILD): there is nothing left to wait for.
            let isLost = found < 0 && errno == ECHILD
            guard found == identifier || isLost else { return nil }
            let signal = status & 0x7F
            let exit = isLost ? -1 : signal == 0 ? (status >> 8) & 0xFF : 128 + signal
            state = .ended(status: exit)
            return exit
        }
    }

    /// Waits for the program's own end.
    ///
    /// Ends the program and throws if it takes too long.
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

    /// Blocks the thread until the program's own end.
    ///
    /// Ends the program and throws if it takes too long.
    ///
    /// Nothing runs meanwhile, so that a program whose speed is measured has the processor.
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

    /// Ends the program and its children; first with its signal, for it may have some to end.
    package func stop() {
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
