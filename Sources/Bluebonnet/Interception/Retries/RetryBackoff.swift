import BluebonnetTransport
import Foundation

/// Delays that grow from one retry to the next, up to a maximum.
struct RetryBackoff: Sendable {
    private let base: Double
    private let scale: Double
    private let maximum: Double

    /// Creates a backoff whose delays are finite and not negative, whatever the arguments.
    init(base: UInt, scale: Double, maximum: Double) {
        self.base = Double(max(1, base))
        // Comparisons with NaN are false.
        self.scale = scale > 0 ? scale : 0
        let known = maximum.isNaN ? RetryPolicy.defaultMaximumDelay : maximum
        self.maximum = min(max(0, known), Duration.longestDelay / .seconds(1))
    }

    /// Returns the delay in seconds before the next retry.
    func delay(afterRetries count: Int) -> TimeInterval {
        guard scale > 0 else { return 0 }
        // A power that is too large is infinite. Multiplied by a positive scale, it is not NaN.
        return min(pow(base, Double(count)) * scale, maximum)
    }
}
