extension Exchange {
    /// What happened to an exchange since its sink was last told, in the order of the properties.
    public struct Report: Sendable {
        /// Bytes of the request's body that were sent so far; nil when that is no news.
        public var sentBodyBytes: Int64?
        /// The final response's head, once in an exchange.
        public var head: Head?
        /// What became of the body's content codings, once in an exchange, with the head.
        ///
        /// Nil where no coding was removed and none is unknown, as in most responses.
        public var codings: ContentCodings?
        /// Pieces of the body, decoded, in order.
        public var body: [Chunk]
        /// The trailer fields in the order they arrived, once in an exchange, in the last report or
        /// before it; nil where there are none.
        ///
        /// They stay apart from the head's fields and must not be merged with them unless a field's
        /// definition allows it (RFC 9110 section 6.5.1). Nothing of the exchange goes by them: a
        /// `Content-Length` or `Set-Cookie` here has no effect.
        public var trailers: [Field]?
        /// The end, once in an exchange, in the last report.
        public var end: End?

        /// Makes a report.
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

    /// How an exchange ended.
    public struct End: Sendable {
        /// Why it failed; nil when the whole response was received.
        public var failure: Failure? {
            get { content.failure }
            set { content = Content(failure: newValue, metrics: metrics, wasSent: wasSent) }
        }
        /// What was measured, also of a failed exchange.
        public var metrics: Metrics {
            get { content.metrics }
            set { content = Content(failure: failure, metrics: newValue, wasSent: wasSent) }
        }
        /// Whether anything of the request may have been sent; nil, the default, where the transport does
        /// not know.
        public var wasSent: Bool? {
            get { content.wasSent }
            set { content = Content(failure: failure, metrics: metrics, wasSent: newValue) }
        }
        /// Behind a reference, since it is large, and is passed on several times.
        private var content: Content

        /// Makes an end.
        public init(
            failure: Failure? = nil, metrics: Metrics = Metrics(), wasSent: Bool? = nil
        ) {
            content = Content(failure: failure, metrics: metrics, wasSent: wasSent)
        }

        /// Makes an end of what has been put down; its maker changes that no more.
        package init(_ content: Content) {
            self.content = content
        }

        // Sendable: written by its maker alone, and only until an end is made of it.
        /// What an end tells, while it is being put down.
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
