import Foundation

/// The part of a turn that one kind of work may take; the rest of it waits for the next turn.
///
/// A TLS handshake takes more than a millisecond, and dozens may be due at once: without a limit
/// what has come for others would be told, and what they ask meanwhile begun, after all of them.
struct TimeSlice {
    /// Long enough for hundreds of small steps, and for a few of the longest.
    static let usualLength: TimeInterval = 0.003

    private let length: TimeInterval
    private var hasBegun = false
    private var end: MonotonicInstant?

    init(length: TimeInterval) {
        self.length = length
    }

    /// Whether there is time for another step; always for the first, so that all come to their turn.
    mutating func hasTime() -> Bool {
        // Most turns have one step, which need not be timed.
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
