import BluebonnetTransport
import Dispatch
import Glibc

/// Looks, every tick, after the pools in which something waits.
///
/// It is a thread that sleeps for good where nothing does. A timer of dispatch's takes three turns of
/// two threads for a tick, each of which may take the place of a thread that works.
final class PoolWatch: Sendable {
    static let shared = PoolWatch()

    private struct State {
        var pools: [HandlerPool] = []
        var isAwake = false
        var hasThread = false
    }

    private let state = Locked(State())
    private let alarm = DispatchSemaphore(value: 0)

    /// Whether there is a pool to look after.
    var isAwake: Bool { state.withLock { $0.isAwake } }

    /// Looks after a pool from now on, until there is nothing to look after.
    func begin(_ pool: HandlerPool) {
        let (isAsleep, hasThread) = state.withLock { state in
            defer { (state.isAwake, state.hasThread) = (true, true) }
            state.pools.append(pool)
            return (!state.isAwake, state.hasThread)
        }
        if !hasThread { start() } else if isAsleep { alarm.signal() }
    }

    private func start() {
        do throws(ThreadNotStarted) {
            try NamedThread.startDetached("bluebonnet-tick") { self.run() }
        } catch {
            // It tries until there is one.
            DispatchQueue(label: "bluebonnet.tick").async { self.run() }
        }
    }

    private func run() {
        while true {
            usleep(useconds_t(WorkerRoster.tick / 1000))
            look()
            if fallsAsleep() { alarm.wait() }
        }
    }

    private func look() {
        // Taken out first: a pool that is added meanwhile is to be looked after again.
        let pools = state.withLock { state in
            defer { state.pools = [] }
            return state.pools
        }
        let waiting = pools.filter { $0.look() }
        state.withLock { $0.pools += waiting }
    }

    private func fallsAsleep() -> Bool {
        state.withLock { state in
            state.isAwake = !state.pools.isEmpty
            return !state.isAwake
        }
    }
}
