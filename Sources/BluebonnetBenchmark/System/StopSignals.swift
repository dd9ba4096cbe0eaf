import Foundation
import Glibc

/// The signals that end the driver early, which then cleans up as it would at its end.
enum StopSignals {
    /// Call this before any other thread starts, since threads inherit the blocked signals.
    static func handle(_ stop: @escaping @Sendable (_ exitStatus: Int32) -> Never) {
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            sigaddset(&signals, signal)
        }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let blocked = signals
        // Waiting on a thread allows ordinary code, which a signal handler could not run.
        Thread.detachNewThread {
            var signals = blocked
            var received: Int32 = 0
            sigwait(&signals, &received)
            stop(128 + received)
        }
    }
}
