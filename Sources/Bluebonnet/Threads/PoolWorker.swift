import Foundation

/// A thread of a pool, between its jobs: it sleeps until it is woken.
final class PoolWorker: Sendable {
    /// Where it is found in its pool.
    let seat: Int
    private let alarm = DispatchSemaphore(value: 0)

    init(seat: Int) {
        self.seat = seat
    }

    func wake() {
        alarm.signal()
    }

    /// Sleeps until it is woken; false when that has not happened for so long.
    func sleep(noLongerThan longest: DispatchTimeInterval) -> Bool {
        alarm.wait(timeout: .now() + longest) == .success
    }
}
