import Foundation
import Glibc
import Synchronization

/// Counts a loop's turns and keeps the lengths of the longest ones.
final class TurnMeter: Sendable {
    /// When a turn began.
    struct Start {
        fileprivate let moment: MonotonicInstant
        fileprivate let processorTime: UInt64
    }

    private let measuresProcessorTime: Bool
    private let turns = Atomic<Int>(0)
    private let longest = Atomic<UInt64>(0)
    private let longestOnProcessor = Atomic<UInt64>(0)

    /// The processor's time takes two system calls a turn, so nobody pays for it who does not ask.
    init(measuresProcessorTime: Bool = false) {
        self.measuresProcessorTime = measuresProcessorTime
    }

    /// How many turns were taken so far.
    var turnCount: Int { turns.load(ordering: .relaxed) }

    /// The longest time between two waits so far, in seconds.
    var longestTurn: TimeInterval {
        TimeInterval(longest.load(ordering: .relaxed)) / 1_000_000_000
    }

    /// The most that one turn took of the processor so far, in seconds; 0 where that is not measured.
    var longestTurnOnProcessor: TimeInterval {
        TimeInterval(longestOnProcessor.load(ordering: .relaxed)) / 1_000_000_000
    }

    // MARK: On the loop thread

    func beginTurn(at moment: MonotonicInstant) -> Start {
        Start(moment: moment, processorTime: measuresProcessorTime ? Self.processorTime : 0)
    }

    /// Counts the turn, and says when it ended.
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

    /// Nanoseconds that the calling thread has run.
    private static var processorTime: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
