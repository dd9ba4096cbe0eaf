import Bluebonnet
import BluebonnetTourServer
import Glibc

/// The program's work, which a signal or a closed output ends early.
final class ProgramRun: Sendable {
    /// The reason to stop before the work is done.
    private enum Interruption {
        case signal(Int32)
        /// The reader of standard output closed it, as `| head -1` does.
        case unread
    }

    private struct State {
        var interruption: Interruption?
        var task: Task<Void, Never>?
    }

    /// Limits the cleanup, since a write can block forever on a reader that has stopped.
    private static let secondsToCleanUp = 3

    private let state = Locked(State())

    /// Runs the work on other threads, while this thread waits for a signal.
    ///
    /// The work returns the exit status. The first signal cancels the work, which then cleans up. The
    /// second signal exits at once.
    static func perform(_ work: @escaping @Sendable (_ output: Terminal) async -> Int32) -> Never {
        let signals = StopSignals()
        let run = ProgramRun()
        let output = Terminal.standardOutput { run.interrupt(.unread) }
        run.state.withLock { state in
            state.task = Task.detached { run.end(await work(output)) }
        }
        let first = signals.next()
        run.interrupt(.signal(first))
        signals.wait(seconds: secondsToCleanUp)
        _exit(128 + first)
    }

    /// Cancels the work; the first cause counts.
    private func interrupt(_ interruption: Interruption) {
        let task = state.withLock { state in
            state.interruption = state.interruption ?? interruption
            return state.task
        }
        task?.cancel()
    }

    private func end(_ status: Int32) -> Never {
        switch state.withLock({ $0.interruption }) {
        case nil: exit(status)
        case .unread?: exit(ExitStatus.unread)
        case .signal(let number)?:
            Terminal.standardError.printInterruption()
            exit(128 + number)
        }
    }
}
