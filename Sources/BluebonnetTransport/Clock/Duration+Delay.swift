package import Foundation

extension Duration {
    /// The delay of 100 years, which can be added to the time of any clock without overflow.
    package static let longestDelay = Duration.seconds(100 * 366 * 86_400)

    /// The nearest delay between zero and ``longestDelay``, which any clock can wait for.
    package var clampedToDelay: Duration { min(max(self, .zero), Self.longestDelay) }

    /// Creates a delay of a number of seconds, at most ``longestDelay``.
    ///
    /// Never traps. Infinity is the longest delay, and a negative number or NaN is zero.
    package init(delayInSeconds seconds: TimeInterval) {
        let limit = Self.longestDelay / .seconds(1)
        // NaN compares false, so it becomes zero.
        self = seconds > 0 ? .seconds(min(seconds, limit)) : .zero
    }
}
