public import Foundation
public import FoundationNetworking

/// One request, which is sent exactly as given, and the limits for its response.
public struct Exchange: Sendable {
    /// The method, a token of RFC 9110 section 5.6.2.
    public var method: String
    /// The absolute URL, `http` or `https`, in ASCII.
    public var url: String
    /// The header fields, in the order in which they are sent.
    ///
    /// The session checks them. A transport sends them as they are.
    public var fields: [Field]
    // Spelled out: a `Body?` starts as nil, for which the compiler copies the whole exchange.
    // swift-format-ignore: UseShorthandTypeNames
    /// The body, or nil for none.
    public var body: Optional<Body>
    /// The time limits of the stages.
    public var timeouts: Timeouts {
        get { terms.timeouts }
        set { terms = terms.with(timeouts: newValue) }
    }
    /// The size limits of the response.
    public var limits: Limits {
        get { terms.limits }
        set { terms = terms.with(limits: newValue) }
    }
    /// The priority among exchanges that wait for a connection, from 0 (last) to 1 (first).
    ///
    /// The default is 0.5. Exchanges with the same priority go in the order in which they arrived.
    public var priority: Float
    /// Whether content codings are removed from the body (gzip, deflate, br, zstd).
    public var decodesContent: Bool {
        get { terms.decodesContent }
        set { terms = terms.with(decodesContent: newValue) }
    }
    /// The clock of the session.
    ///
    /// The default is the machine's clock. Transports that wait use it, such as a stub with delays.
    /// libcurl's transport always uses the machine's clock.
    public var clock: any SessionClock {
        get { terms.clock }
        set { terms = terms.with(clock: newValue) }
    }
    /// Whether reports contain the number of bytes sent of the request's body.
    public var reportsSending: Bool
    /// The most decoded bytes of the response's body that the sink can hold, or nil for no limit.
    ///
    /// The sink holds the bytes that it has received and not yet passed to
    /// ``Transfer/didConsume(_:)``. When it holds this many, nothing is read from the connection
    /// until only a quarter is left. One piece can exceed the limit, of at most 64 KiB as received
    /// or 256 KiB as decoded.
    public var receiveWindow: Int?
    /// Whether the receiver keeps the whole body of the response in memory.
    ///
    /// The default is true. If the length is known, the memory is then allocated at once.
    public var keepsBody: Bool
    /// Whether a new connection is opened for the exchange, even if others are idle.
    ///
    /// The default is false.
    public var connectsAnew = false
    /// The value of `Proxy-Authorization` for a proxy that opens a tunnel.
    ///
    /// It replaces the login of the route, which is used if this is nil, the default. It is sent
    /// only with CONNECT (RFC 9110 section 9.3.6), when a connection is opened for the exchange,
    /// and never to the host behind the tunnel. All exchanges of the pool can use the tunnel from
    /// then on, so use a separate pool for exchanges with another login.
    public var tunnelAuthorization: String?
    /// The cache policy of the request, for a cache in front of the transport.
    ///
    /// The default is `.useProtocolCachePolicy`. libcurl's transport has no cache and ignores this.
    public var cachePolicy = URLRequest.CachePolicy.useProtocolCachePolicy
    /// What a cache asks or tells before it stores the response; nil, the default, for nothing.
    ///
    /// The cache can do so after the task has ended. The closure keeps the task and its manager
    /// alive, so a transport that keeps exchanges after their end sets it to nil in what it keeps.
    public var willCacheResponse: CachedResponse.Hook?
    /// The number of the task's attempt to which the exchange belongs, from 1.
    public var attempt = 1
    /// The attributes of the task, none by default.
    public var attributes = TaskAttributes()
    /// The connections that the exchange can use.
    public var pool: Pool
    package private(set) var terms: Terms

    /// The work of the exchange as the clock counts it, or nil if it is not counted.
    var work: ExchangeWork? {
        get { terms.work }
        set { terms = terms.with(work: newValue) }
    }

    /// The methods of requests that can safely arrive twice (RFC 9110 section 9.2.2, and
    /// draft-ietf-httpbis-safe-method-w-body).
    package static let idempotentMethods: Set = [
        "GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "QUERY",
    ]

    /// Returns whether a request can safely arrive twice.
    ///
    /// Its method is idempotent, or it has an `Idempotency-Key`
    /// (draft-ietf-httpapi-idempotency-key-header).
    package static func isIdempotent(method: String, fields: [Field]) -> Bool {
        // Most methods are GET.
        method == "GET" || idempotentMethods.contains(method)
            || fields.contains {
                $0.name.caseInsensitiveEquals("Idempotency-Key") && !$0.value.isEmpty
            }
    }

    /// Creates an exchange without a body, with the default timeouts and limits.
    public init(method: String, url: String, fields: [Field] = [], pool: Pool) {
        self.init(method: method, url: url, fields: fields, terms: .unlimited, pool: pool)
    }

    package init(
        method: String, url: String, fields: [Field], body: Body? = nil, terms: Terms, pool: Pool
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        self.terms = terms
        self.priority = 0.5
        self.reportsSending = false
        self.keepsBody = true
        self.pool = pool
    }
}

extension Exchange {
    /// The settings that the exchanges of a session share.
    ///
    /// All exchanges share one object: an exchange is copied several times and read on another
    /// thread than the one that created it, so each large property would slow down every request.
    package final class Terms: Sendable {
        package let timeouts: Timeouts
        package let limits: Limits
        package let decodesContent: Bool
        package let clock: any SessionClock
        let work: ExchangeWork?

        package convenience init(
            _ timeouts: Timeouts, _ limits: Limits, decodesContent: Bool,
            clock: any SessionClock = .system
        ) {
            self.init(timeouts, limits, decodesContent: decodesContent, clock: clock, work: nil)
        }

        private init(
            _ timeouts: Timeouts, _ limits: Limits, decodesContent: Bool,
            clock: any SessionClock, work: ExchangeWork?
        ) {
            self.timeouts = timeouts
            self.limits = limits
            self.decodesContent = decodesContent
            self.clock = clock
            self.work = work
        }

        /// Returns a copy of the terms with the given changes.
        package func with(
            timeouts: Timeouts? = nil, limits: Limits? = nil, decodesContent: Bool? = nil,
            clock: (any SessionClock)? = nil
        ) -> Terms {
            Terms(
                timeouts ?? self.timeouts, limits ?? self.limits,
                decodesContent: decodesContent ?? self.decodesContent, clock: clock ?? self.clock,
                work: work)
        }

        fileprivate func with(work: ExchangeWork?) -> Terms {
            Terms(timeouts, limits, decodesContent: decodesContent, clock: clock, work: work)
        }

        fileprivate static let unlimited = Terms(Timeouts(), Limits(), decodesContent: true)
    }

    /// The time limits of the stages of an exchange, in seconds, where nil means no limit.
    public struct Timeouts: Sendable, Hashable {
        /// The time from the start of a connection until it can carry the request, including TLS.
        public var connect: TimeInterval?
        /// The time from the last byte sent of the request to the end of the response's head.
        ///
        /// Lines of the head and interim responses do not extend it. It does not run while the
        /// exchange is suspended or the source of its body has nothing to send, and starts over
        /// after that.
        public var head: TimeInterval?
        /// The time without a byte in either direction, once the exchange has a connection slot.
        public var idle: TimeInterval?
        /// The time from the start of the exchange to its end.
        public var whole: TimeInterval?
        /// The time of waiting for a connection slot.
        ///
        /// It does not run while the exchange is suspended, and starts over when the exchange is
        /// resumed. Of the other timeouts, only `queueStall` and `whole` run while it waits.
        public var queue: TimeInterval?
        /// The time of waiting for a connection slot while all connections for it are stalled.
        ///
        /// A connection is stalled while no byte moves on it. The failure describes what occupies
        /// the connections. The timeout runs and starts over as `queue` does.
        public var queueStall: TimeInterval?

        /// Creates timeouts, by default without any limit.
        public init(
            connect: TimeInterval? = nil,
            head: TimeInterval? = nil,
            idle: TimeInterval? = nil,
            whole: TimeInterval? = nil,
            queue: TimeInterval? = nil,
            queueStall: TimeInterval? = nil
        ) {
            self.connect = connect
            self.head = head
            self.idle = idle
            self.whole = whole
            self.queue = queue
            self.queueStall = queueStall
        }
    }

    /// The size limits of a response.
    public struct Limits: Sendable, Hashable {
        /// The most bytes of the body after decoding.
        ///
        /// The default is `Int.max`.
        public var bodySize: Int
        /// The most bytes of the body as sent, before decoding.
        ///
        /// The default is `Int.max`.
        public var encodedBodySize: Int
        /// The most decoded bytes for each byte that was sent.
        ///
        /// The default is `Int.max`. The limit applies once a body has more than 1 MiB after
        /// decoding, because small bodies can be very repetitive.
        public var expansionRatio: Int
        /// The most bytes of the response's head, including line ends.
        ///
        /// The default is 256 KiB.
        public var headSize: Int
        /// The most field lines in the head.
        ///
        /// The default is 1,000.
        public var fieldCount: Int
        /// The most bytes of the trailer, including line ends.
        ///
        /// The default is 64 KiB.
        public var trailerSize = 64 * 1024
        /// The most field lines in the trailer.
        ///
        /// The default is 100.
        public var trailerFieldCount = 100
        /// The most interim responses (1xx) before the final one.
        ///
        /// The default is 16.
        public var interimResponseCount = 16
        /// The most content codings of a body that is decoded.
        ///
        /// The default is 4.
        public var contentCodingCount = 4
        /// The most bytes of a body that is read without being delivered, such as that of a
        /// redirect or of a 205 response.
        package static let droppedBodySize = 32 * 1024 * 1024

        /// Creates limits.
        public init(
            bodySize: Int = .max,
            encodedBodySize: Int = .max,
            expansionRatio: Int = .max,
            headSize: Int = 256 * 1024,
            fieldCount: Int = 1000
        ) {
            self.bodySize = bodySize
            self.encodedBodySize = encodedBodySize
            self.expansionRatio = expansionRatio
            self.headSize = headSize
            self.fieldCount = fieldCount
        }
    }
}
