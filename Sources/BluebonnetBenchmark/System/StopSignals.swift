import Foundation
import Glibc

/// The signals that end the driver early, after the same cleanup as at its normal end.
enum StopSignals {
    /// Calls a closure with an exit status when one of the signals arrives.
    ///
    /// Call this before any other thread starts, because threads inherit the blocked signals.
    static func handle(_ stop: @escaping @Sendable (_ exitStatus: Int32) -> Never) {
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            sigaddset(&signals, signal)
        }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let blocked = signals
        // A thread that waits for a signal can run any code, unlike a signal handler.
        Thread.detachNewThread {
            var signals = blocked
            var received: Int32 = 0
            sigwait(&signals, &received)
            stop(128 + received)
        }
    }
}
