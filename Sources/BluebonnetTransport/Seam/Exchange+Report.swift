public import Foundation

extension Exchange {
    /// What happened to an exchange since its sink was last told, in the order of the properties.
    public struct Report: Sendable {
        /// Bytes of the request's body that were sent so far; nil when that is no news.
        public var sentBodyBytes: Int64?
        /// The final response's head, once in an exchange.
        public var head: Head?
        /// Pieces of the body, decoded, in order.
        public var body: [Chunk]
        /// The end, once in an exchange, in the last report.
        public var end: End?

        /// Makes a report.
        public init(
            sentBodyBytes: Int64? = nil,
            head: Head? = nil,
            body: [Chunk] = [],
            end: End? = nil
        ) {
            self.sentBodyBytes = sentBodyBytes
            self.head = head
            self.body = body
            self.end = end
        }
    }

    /// How an exchange ended.
    public struct End: Sendable {
        /// Why it failed; nil when the whole response was received.
        public var failure: Failure?
        /// What was measured, also of a failed exchange.
        public var metrics: Metrics

        /// Makes an end.
        public init(failure: Failure? = nil, metrics: Metrics = Metrics()) {
            self.failure = failure
            self.metrics = metrics
        }
    }

    /// What was measured of one exchange; durations are in seconds.
    public struct Metrics: Sendable, Hashable {
        /// When the exchange was handed to the transport.
        public var startDate = Date(timeIntervalSinceReferenceDate: 0)
        /// From start until the exchange had a connection slot.
        public var queueDuration: TimeInterval = 0
        /// Looking up the host's addresses; 0 on a reused connection.
        public var nameLookupDuration: TimeInterval = 0
        /// Connecting, without name look-up and TLS; 0 on a reused connection.
        public var connectDuration: TimeInterval = 0
        /// The TLS handshake; 0 without TLS and on a reused connection.
        public var tlsDuration: TimeInterval = 0
        /// From the connection slot until the response's head was whole; nil if it never was.
        public var headDuration: TimeInterval?
        /// From start to end.
        public var totalDuration: TimeInterval = 0
        /// Whether an open connection served the exchange.
        public var isConnectionReused = false
        /// The version of the response, such as `HTTP/1.1`; empty without a response.
        public var protocolVersion = ""
        /// The server's address; empty without a connection.
        public var remoteAddress = ""
        /// The server's port; 0 without a connection.
        public var remotePort = 0
        /// Bytes of the request's body that were sent.
        public var requestBodyBytes: Int64 = 0
        /// Bytes of the response's body as they were on the wire, before decoding.
        public var responseBodyBytes: Int64 = 0
        /// Bytes of the response's body after decoding.
        public var decodedBodyBytes: Int64 = 0

        /// Makes empty metrics.
        public init() {}
    }
}
