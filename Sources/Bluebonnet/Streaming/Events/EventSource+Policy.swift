import Foundation

extension EventSource {
    /// When and how often an event source connects again.
    public struct Policy: Sendable {
        /// The time to wait after a connection that delivered anything; 3 seconds by default.
        ///
        /// A server can replace it with `retry`. Up to half of it is added at random, and it doubles
        /// with each failure in a row.
        public var reconnectionTime: Duration = .seconds(3)
        /// The shortest time to wait, whatever the server asks for; 100 milliseconds by default.
        public var minimumDelay: Duration = .milliseconds(100)
        /// The longest time to wait, whatever the server asks for; 60 seconds by default.
        ///
        /// Up to it, no connection begins before the time of `Retry-After` has passed. Up to a quarter of
        /// that time is added at random.
        public var maximumDelay: Duration = .seconds(60)
        /// How many connections in a row may fail before the source gives up; nil, the default,
        /// for no limit.
        ///
        /// A connection that ends without a byte has failed.
        public var maximumFailures: Int?
        /// The status codes after which the source connects again; 503 by default.
        ///
        /// Every other status code except 200 ends the source.
        public var retriedStatusCodes: Set<Int> = [503]
        /// The maximum length of an event, in bytes; 1 MiB by default.
        ///
        /// A longer one ends the source with an error.
        public var maximumEventLength = 1_048_576

        /// Creates a policy with the default settings.
        public init() {}

        /// Returns the time to wait before another connection.
        ///
        /// It doubles with each failure in a row. A part of it is random, so that not all clients of
        /// a server that starts again come back at once.
        func delay(
            afterFailures failures: Int, reconnectionTime: Duration?, retryAfter: Duration?
        ) -> Duration {
            let base = Swift.max(reconnectionTime ?? self.reconnectionTime, minimumDelay)
            let longest = Swift.max(maximumDelay, minimumDelay).clampedToDelay / .seconds(1)
            let grown =
                base.clampedToDelay / .seconds(1) * pow(2, Double(Swift.max(0, failures - 1)))
            let own = Swift.min(grown * .random(in: 1...1.5), longest * .random(in: 0.75...1))
            let asked = Swift.min((retryAfter ?? .zero).clampedToDelay / .seconds(1), longest)
            return Duration(delayInSeconds: Swift.max(own, asked * .random(in: 1...1.25)))
        }
    }

    /// What an event source does.
    public enum State: Sendable {
        /// It is not read, or its next connection has not begun.
        case idle
        /// It waits for the head of a response.
        case connecting
        /// It reads events.
        case open(ResponseHead)
        /// It waits before it connects again; the error is nil after a response that was complete.
        case waiting(Duration, BluebonnetError?)
        /// It has ended: with a status of 204, with an error, or because it gave up.
        case closed(BluebonnetError?)
    }
}
