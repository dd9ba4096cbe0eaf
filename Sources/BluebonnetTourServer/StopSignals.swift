import Glibc

/// The signals that end the program early, for a thread that waits for them.
///
/// Waiting allows ordinary code, which a signal handler could not run.
package struct StopSignals {
    private var signals = sigset_t()

    /// Blocks SIGINT and SIGTERM in this thread and in the threads that start from now on.
    ///
    /// Call it before any other thread starts, or that one gets them.
    package init() {
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Blocks the thread until a signal comes; returns its number.
    package func next() -> Int32 {
        var signals = signals
        var received: Int32 = 0
        while sigwait(&signals, &received) != 0 {}
        return received
    }

    /// Blocks the thread until a signal comes, for a number of seconds at most.
    package func wait(seconds: Int) {
        var signals = signals
        var limit = timespec(tv_sec: seconds, tv_nsec: 0)
        while sigtimedwait(&signals, nil, &limit) < 0, errno == EINTR {}
    }
}
