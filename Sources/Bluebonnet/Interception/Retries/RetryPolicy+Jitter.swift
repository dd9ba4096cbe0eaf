public import Foundation

extension RetryPolicy {
    /// A random variation of delays that keeps many clients from retrying at the same time.
    public struct Jitter: Sendable {
        private let random: (@Sendable (_ range: ClosedRange<TimeInterval>) -> TimeInterval)?

        private init(_ random: (@Sendable (ClosedRange<TimeInterval>) -> TimeInterval)?) {
            self.random = random
        }

        /// No jitter, so that delays do not vary.
        public static let none = Self(nil)

        /// Full jitter, with random delays from 0 to the delay without jitter.
        public static let full = Self { TimeInterval.random(in: $0) }

        /// Full jitter with a custom source of random numbers, for tests.
        ///
        /// - Parameter random: Returns a number in the range, which starts at 0. A number outside
        ///   the range counts as the nearest bound, and NaN as the upper bound. It is called on any
        ///   thread.
        /// - Returns: The jitter.
        public static func full(
            using random: @escaping @Sendable (_ range: ClosedRange<TimeInterval>) -> TimeInterval
        ) -> Self {
            Self { range in
                let number = random(range)
                return number < range.upperBound ? max(range.lowerBound, number) : range.upperBound
            }
        }

        /// Returns the delay with jitter.
        func delay(within delay: TimeInterval) -> TimeInterval { random?(0...delay) ?? delay }

        /// Returns the jitter to add to a delay that must not become shorter.
        func spread(within delay: TimeInterval) -> TimeInterval { random?(0...delay) ?? 0 }
    }
}
