import BluebonnetTransport
import Foundation

extension SessionClock {
    /// Waits for a delay; returns early if the Swift task is canceled.
    func sleep(for delay: Duration) async {
        let waiting = Locked<UnsafeContinuation<Void, Never>?>(nil)
        let timer = Locked<(any SessionTimer)?>(nil)
        // Unsafe only in that resumption is not checked. It leaves the lock before it resumes, so it
        // resumes once.
        let wake: @Sendable () -> Void = { waiting.withLock { $0.take() }?.resume() }
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                waiting.withLock { $0 = continuation }
                let scheduled = schedule(after: delay.clampedToDelay, wake)
                timer.withLock { $0 = scheduled }
                if Task.isCancelled { wake() }
            }
        } onCancel: {
            wake()
        }
        timer.withLock { $0.take() }?.cancel()
    }
}
