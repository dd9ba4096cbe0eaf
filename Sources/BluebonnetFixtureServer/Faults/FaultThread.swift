import Glibc

/// Detached threads for fault servers, with all signals blocked.
enum FaultThread {
    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }

    /// Runs a closure on a new thread, or returns false if the system has no thread left.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        var everything = sigset_t()
        var previous = sigset_t()
        sigfillset(&everything)
        pthread_sigmask(SIG_SETMASK, &everything, &previous)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
        let work = Unmanaged.passRetained(Work(body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
                return nil
            }, work.toOpaque())
        guard code == 0 else {
            work.release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}
