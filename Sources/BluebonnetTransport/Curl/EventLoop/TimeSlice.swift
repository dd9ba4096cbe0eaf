import Foundation

/// The part of a turn that one kind of work may take.
///
/// The rest of the work waits for the next turn. A TLS handshake takes more than a millisecond, and
/// dozens can be ready at once. Without a limit, other exchanges could neither report nor start
/// until all of them were done.
struct TimeSlice {
    /// The default length in seconds, which is enough for hundreds of small steps or a few of the
    /// longest.
    static let usualLength: TimeInterval = 0.003

    private let length: TimeInterval
    private var hasBegun = false
    private var end: MonotonicInstant?

    init(length: TimeInterval) {
        self.length = length
    }

    /// Returns whether there is time for another step.
    ///
    /// Always returns true for the first step, so that every kind of work makes progress.
    mutating func hasTime() -> Bool {
        // Most turns have one step, which does not need to be timed.
        guard hasBegun else {
            hasBegun = true
            return true
        }
        let now = MonotonicInstant.now
        guard let end else {
            end = now.advanced(by: length)
            return length > 0
        }
        return now < end
    }
}
