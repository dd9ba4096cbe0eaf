import Glibc

/// The thread that runs one event loop.
final class ServerThread: Sendable {
    private enum Phase: Sendable {
        case running
        case joining
        case ended
    }

    private let thread: pthread_t
    private let phase = Locked(Phase.running)

    init(running loop: EventLoop) throws(FixtureServerError) {
        // A new thread inherits the signal mask, so it never receives a signal.
        var everything = sigset_t()
        var previous = sigset_t()
        sigfillset(&everything)
        pthread_sigmask(SIG_SETMASK, &everything, &previous)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }

        var thread = pthread_t()
        let context = Unmanaged.passRetained(loop)
        let code = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                ServerThread.setName("fixture")
                Unmanaged<EventLoop>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            context.release()
            throw FixtureServerError(operation: "pthread_create", code: code)
        }
        self.thread = thread
    }

    /// Names the calling thread through `/proc`, because the Glibc module lacks a function for it.
    private static func setName(_ name: String) {
        let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = write(file, name, name.utf8.count)
        close(file)
    }

    var isCurrent: Bool { pthread_equal(pthread_self(), thread) != 0 }

    /// Waits until the thread has ended; only the first caller joins it.
    func join() {
        let isFirst = phase.withLock { phase in
            guard case .running = phase else { return false }
            phase = .joining
            return true
        }
        // A handler that stops its own server runs on this thread and cannot join it.
        if isCurrent {
            if isFirst {
                pthread_detach(thread)
                phase.withLockNotifying { $0 = .ended }
            }
            return
        }
        if isFirst {
            pthread_join(thread, nil)
            phase.withLockNotifying { $0 = .ended }
        } else {
            phase.wait { if case .ended = $0 { true } else { false } }
        }
    }
}
