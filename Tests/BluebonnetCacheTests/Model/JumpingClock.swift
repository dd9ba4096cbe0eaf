import Bluebonnet
import Foundation

/// A clock whose date jumps, and whose time only goes forward.
final class JumpingClock: SessionClock {
    private let state = Locked(
        (now: Duration.zero, date: Date(timeIntervalSince1970: 1_700_000_000)))

    var now: Duration { state.withLock { $0.now } }
    var date: Date { state.withLock { $0.date } }

    func advance(by seconds: Int) {
        state.withLock { state in
            state.now += .seconds(seconds)
            state.date += TimeInterval(seconds)
        }
    }

    func jump(by seconds: Int) { state.withLock { $0.date += TimeInterval(seconds) } }

    /// A timer of the machine's clock; the cache has none.
    func schedule(
        after delay: Duration, _ action: @escaping @Sendable () -> Void
    ) -> any SessionTimer {
        SystemClock.system.schedule(after: delay, action)
    }
}
