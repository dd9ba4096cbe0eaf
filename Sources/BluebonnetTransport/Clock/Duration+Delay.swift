package import Foundation

extension Duration {
    /// A hundred years, which can be added to the time of any clock without overflow.
    package static let longestDelay = Duration.seconds(100 * 366 * 86_400)

    /// The nearest delay that any clock can wait for: not negative, at most ``longestDelay``.
    package var clampedToDelay: Duration { min(max(self, .zero), Self.longestDelay) }

    /// The delay of that many seconds, at most ``longestDelay``.
    ///
    /// Never traps: infinity is the longest delay, a negative number or NaN is none.
    package init(delayInSeconds seconds: TimeInterval) {
        let limit = Self.longestDelay / .seconds(1)
        // NaN compares false, so it becomes zero.
        self = seconds > 0 ? .seconds(min(seconds, limit)) : .zero
    }
}
