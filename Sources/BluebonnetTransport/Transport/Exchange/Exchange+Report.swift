extension Exchange {
    /// The events of an exchange since the last report, in the order of the properties.
    public struct Report: Sendable {
        /// The number of bytes sent so far of the request's body, or nil if not reported here.
        public var sentBodyBytes: Int64?
        /// The head of the final response, which an exchange reports once.
        public var head: Head?
        /// The removed and unknown content codings of the body, reported once, with the head.
        ///
        /// Nil if no coding was removed and none is unknown, as for most responses.
        public var codings: ContentCodings?
        /// Pieces of the decoded body, in order.
        public var body: [Chunk]
        /// The trailer fields in the order in which they arrived, or nil if there are none.
        ///
        /// They are reported once, in the last report or before it. Do not merge them with the
        /// fields of the head unless a field's definition allows it (RFC 9110 section 6.5.1). They
        /// do not affect the exchange: a `Content-Length` or `Set-Cookie` here has no effect.
        public var trailers: [Field]?
        /// The end of the exchange, which the last report contains.
        public var end: End?

        /// Creates a report.
        public init(
            sentBodyBytes: Int64? = nil,
            head: Head? = nil,
            codings: ContentCodings? = nil,
            body: [Chunk] = [],
            trailers: [Field]? = nil,
            end: End? = nil
        ) {
            self.sentBodyBytes = sentBodyBytes
            self.head = head
            self.codings = codings
            self.body = body
            self.trailers = trailers
            self.end = end
        }
    }

    /// The end of an exchange.
    public struct End: Sendable {
        /// The reason for a failure, or nil if the complete response was received.
        public var failure: Failure? {
            get { content.failure }
            set { content = Content(failure: newValue, metrics: metrics, wasSent: wasSent) }
        }
        /// The measurements of the exchange, even if it failed.
        public var metrics: Metrics {
            get { content.metrics }
            set { content = Content(failure: failure, metrics: newValue, wasSent: wasSent) }
        }
        /// Whether any part of the request may have been sent, or nil if that is not known.
        ///
        /// The default is nil.
        public var wasSent: Bool? {
            get { content.wasSent }
            set { content = Content(failure: failure, metrics: metrics, wasSent: newValue) }
        }
        /// The content, stored by reference because it is large and passed on several times.
        private var content: Content

        /// Creates an end.
        public init(
            failure: Failure? = nil, metrics: Metrics = Metrics(), wasSent: Bool? = nil
        ) {
            content = Content(failure: failure, metrics: metrics, wasSent: wasSent)
        }

        /// Creates an end with a content, which its creator must not change any more.
        package init(_ content: Content) {
            self.content = content
        }

        // Sendable: only its creator writes it, and only until an end is created with it.
        /// The content of an end, which can be changed while it is collected.
        package final class Content: @unchecked Sendable {
            // Unchecked: see `EventLoop`.
            @exclusivity(unchecked) package var failure: Failure?
            @exclusivity(unchecked) package var metrics: Metrics
            @exclusivity(unchecked) package var wasSent: Bool?

            package init(
                failure: Failure? = nil, metrics: Metrics = Metrics(), wasSent: Bool? = nil
            ) {
                self.failure = failure
                self.metrics = metrics
                self.wasSent = wasSent
            }
        }
    }
}
