import Foundation
import Glibc
import Synchronization

/// A meter that counts a loop's turns and records how long the longest took.
final class TurnMeter: Sendable {
    /// The start of a turn.
    struct Start {
        fileprivate let moment: MonotonicInstant
        fileprivate let processorTime: UInt64
    }

    private let measuresProcessorTime: Bool
    private let turns = Atomic<Int>(0)
    private let longest = Atomic<UInt64>(0)
    private let longestOnProcessor = Atomic<UInt64>(0)

    /// Creates a meter.
    ///
    /// Measuring processor time takes two system calls per turn, so it is off by default.
    init(measuresProcessorTime: Bool = false) {
        self.measuresProcessorTime = measuresProcessorTime
    }

    /// The number of turns so far.
    var turnCount: Int { turns.load(ordering: .relaxed) }

    /// The longest time between two waits so far, in seconds.
    var longestTurn: TimeInterval {
        TimeInterval(longest.load(ordering: .relaxed)) / 1_000_000_000
    }

    /// The most processor time that one turn has used so far, in seconds, or 0 if it is not
    /// measured.
    var longestTurnOnProcessor: TimeInterval {
        TimeInterval(longestOnProcessor.load(ordering: .relaxed)) / 1_000_000_000
    }

    // MARK: On the loop thread

    func beginTurn(at moment: MonotonicInstant) -> Start {
        Start(moment: moment, processorTime: measuresProcessorTime ? Self.processorTime : 0)
    }

    /// Counts the turn, and returns the time of its end.
    func endTurn(since start: Start) -> MonotonicInstant {
        let end = MonotonicInstant.now
        turns.add(1, ordering: .relaxed)
        raise(longest, to: end.nanoseconds - start.moment.nanoseconds)
        if measuresProcessorTime {
            raise(longestOnProcessor, to: Self.processorTime - start.processorTime)
        }
        return end
    }

    private func raise(_ most: borrowing Atomic<UInt64>, to length: UInt64) {
        if length > most.load(ordering: .relaxed) { most.store(length, ordering: .relaxed) }
    }

    /// The processor time that the calling thread has used, in nanoseconds.
    private static var processorTime: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
