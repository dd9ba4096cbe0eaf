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
        public var failure: Failure? {
            get { content.failure }
            set { content = Content(failure: newValue, metrics: metrics) }
        }
        /// What was measured, also of a failed exchange.
        public var metrics: Metrics {
            get { content.metrics }
            set { content = Content(failure: failure, metrics: newValue) }
        }
        /// Behind a reference, since it is large, and is passed on several times.
        private var content: Content

        /// Makes an end.
        public init(failure: Failure? = nil, metrics: Metrics = Metrics()) {
            content = Content(failure: failure, metrics: metrics)
        }

        /// Makes an end of what has been put down; its maker changes that no more.
        package init(_ content: Content) {
            self.content = content
        }

        // Sendable: written by its maker alone, and only until an end is made of it.
        /// What an end tells, while it is being put down.
        package final class Content: @unchecked Sendable {
            package var failure: Failure?
            package var metrics: Metrics

            package init(failure: Failure? = nil, metrics: Metrics = Metrics()) {
                self.failure = failure
                self.metrics = metrics
            }
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
        /// Connecting, to the proxy where there is one, without name look-up and TLS; 0 on a reused
        /// connection.
        public var connectDuration: TimeInterval = 0
        /// The TLS handshake, with the opening of a tunnel; 0 without TLS and on a reused
        /// connection.
        public var tlsDuration: TimeInterval = 0
        /// From the connection slot until the request began to be sent; nil if it never was.
        public var requestStartDuration: TimeInterval?
        /// From the connection slot until the request was sent whole.
        ///
        /// Nil if it never was, and for a request with a body where libcurl is older than 8.10.
        public var requestEndDuration: TimeInterval?
        /// From the connection slot until the response's first byte, interim responses included;
        /// nil without one.
        public var firstByteDuration: TimeInterval?
        /// From the connection slot until the response's head was whole; nil if it never was.
        public var headDuration: TimeInterval?
        /// From start to end.
        public var totalDuration: TimeInterval = 0
        /// Whether an open connection served the exchange.
        public var isConnectionReused = false
        /// The version of the response, such as `HTTP/1.1` or `HTTP/2`; empty without a response.
        public var protocolVersion = ""
        /// The address of the server, or of the proxy; empty without a connection and with a Unix
        /// socket.
        public var remoteAddress = ""
        /// The port of the server, or of the proxy; 0 without one.
        public var remotePort = 0
        /// The connection's own address; empty without a connection and with a Unix socket.
        public var localAddress = ""
        /// The connection's own port; 0 without one.
        public var localPort = 0
        /// The version of TLS with the server, such as `TLSv1.3`; empty without TLS.
        public var tlsVersion = ""
        /// The cipher suite as OpenSSL calls it, such as `TLS_AES_256_GCM_SHA384`; empty without
        /// TLS.
        public var tlsCipherSuite = ""
        /// Bytes of the request's head, and of requests for a tunnel, each time that they were sent.
        ///
        /// On HTTP/2 as they would be in HTTP/1.1. Where libcurl is 8.7 or newer, what went out of the
        /// body on a connection that was lost counts too, when the request was sent again.
        public var requestHeaderBytes: Int64 = 0
        /// Bytes of the request's body that were sent.
        public var requestBodyBytes: Int64 = 0
        /// Bytes of the response's head, with interim responses and trailers before and after it.
        ///
        /// On HTTP/2 as they would be in HTTP/1.1.
        public var responseHeaderBytes: Int64 = 0
        /// Bytes of the response's body as they were on the wire, before decoding.
        public var responseBodyBytes: Int64 = 0
        /// Bytes of the response's body after decoding.
        public var decodedBodyBytes: Int64 = 0

        /// Makes empty metrics.
        public init() {}
    }
}
