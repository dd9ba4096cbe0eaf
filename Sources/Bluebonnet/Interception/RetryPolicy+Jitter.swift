public import Foundation

extension RetryPolicy {
    /// How the delays of many clients vary, so that they do not retry at the same time.
    public struct Jitter: Sendable {
        private let random: (@Sendable (_ range: ClosedRange<TimeInterval>) -> TimeInterval)?

        private init(_ random: (@Sendable (ClosedRange<TimeInterval>) -> TimeInterval)?) {
            self.random = random
        }

        /// Delays do not vary.
        public static let none = Self(nil)

        /// Each delay is a random number of seconds from 0 to the delay without jitter.
        public static let full = Self { TimeInterval.random(in: $0) }

        /// Full jitter with a custom source of random numbers, for tests.
        ///
        /// - Parameter random: Returns a number in the range, which begins at 0. Numbers outside of it count as the
        ///   nearest one inside, and NaN as the upper bound. It is called on any thread.
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

        /// Returns what is added to a delay that must not become shorter.
        func spread(within delay: TimeInterval) -> TimeInterval { random?(0...delay) ?? 0 }
    }
}
