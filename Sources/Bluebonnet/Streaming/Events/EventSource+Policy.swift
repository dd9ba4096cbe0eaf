import Foundation

extension EventSource {
    /// When and how often an event source connects again.
    public struct Policy: Sendable {
        /// The time to wait after a connection that delivered events, unless the server sets another
        /// one with `retry`; 3 seconds by default.
        public var reconnectionTime: Duration = .seconds(3)
        /// The shortest time to wait, also if the server sets a shorter one; 100 milliseconds by
        /// default.
        public var minimumDelay: Duration = .milliseconds(100)
        /// The longest time to wait, also if the server wants a longer one with `retry` or
        /// `Retry-After`; 60 seconds by default.
        public var maximumDelay: Duration = .seconds(60)
        /// How many connections in a row may fail, or end without an event, before the source gives
        /// up; nil, the default, for no limit.
        public var maximumFailures: Int?
        /// The status codes after which the source connects again; 503 by default. Any other one
        /// than 200 ends it.
        public var retriedStatusCodes: Set<Int> = [503]

        /// Creates a policy with the default settings.
        public init() {}

        /// Returns the time to wait before another connection.
        ///
        /// It doubles with each failure in a row, and up to half of it is added at random, so that
        /// not all clients of a server that starts again come back at once.
        func delay(
            afterFailures failures: Int, reconnectionTime: Duration?, retryAfter: Duration?
        ) -> Duration {
            let base = Swift.max(reconnectionTime ?? self.reconnectionTime, minimumDelay)
                .clampedToDelay
            let longest = Swift.max(maximumDelay, minimumDelay).clampedToDelay
            let seconds = Swift.min(
                base / .seconds(1) * pow(2, Double(Swift.max(0, failures - 1))),
                longest / .seconds(1))
            let delay = Duration(delayInSeconds: seconds * .random(in: 1...1.5))
            return Swift.min(Swift.max(delay, retryAfter ?? .zero), longest)
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
