public import Foundation
public import FoundationNetworking

/// One request to be sent as it is, with the limits that its response must keep.
public struct Exchange: Sendable {
    /// The method, a token of RFC 9110 section 5.6.2.
    public var method: String
    /// The absolute URL, `http` or `https`, in ASCII.
    public var url: String
    /// The header fields in the order they are sent; checked before they come here.
    public var fields: [Field]
    // Spelled out: a `Body?` is nil before it is set, and the compiler copies a whole exchange for that.
    // swift-format-ignore: UseShorthandTypeNames
    /// The body, nil for none.
    public var body: Optional<Body>
    /// How long each stage may take.
    public var timeouts: Timeouts {
        get { terms.timeouts }
        set { terms = terms.with(timeouts: newValue) }
    }
    /// How much the response may hold.
    public var limits: Limits {
        get { terms.limits }
        set { terms = terms.with(limits: newValue) }
    }
    /// Which exchange goes first where several wait for a connection, 0 to 1, the higher the sooner.
    ///
    /// Default 0.5. Exchanges of one priority go in the order in which they came.
    public var priority: Float
    /// Whether content codings are removed from the body (gzip, deflate, br, zstd).
    public var decodesContent: Bool {
        get { terms.decodesContent }
        set { terms = terms.with(decodesContent: newValue) }
    }
    /// The clock of the session; default the machine's.
    ///
    /// It is for transports that wait, such as a stub with delays. libcurl's transport goes by the
    /// machine's clock.
    public var clock: any SessionClock {
        get { terms.clock }
        set { terms = terms.with(clock: newValue) }
    }
    /// Whether reports tell how much of the request's body was sent.
    public var reportsSending: Bool
    /// Bytes of the response's body, after decoding, that the sink may have without having told
    /// ``Transfer/didConsume(_:)``; nil for any number.
    ///
    /// With that many outstanding, nothing is read from the connection until a quarter is left. One
    /// piece may go beyond it, of at most 64 KiB as received or 256 KiB as decoded.
    public var receiveWindow: Int?
    /// Whether the response's body is going to be kept whole in memory, which is then made at once
    /// where the length is known; default true.
    public var keepsBody: Bool
    /// Whether a connection is made for the exchange, whatever connections there are; default false.
    public var connectsAnew = false
    /// The value of `Proxy-Authorization` for a proxy that opens a tunnel, in place of the route's
    /// login; default nil, for that one.
    ///
    /// It goes with CONNECT alone (RFC 9110 section 9.3.6), where a connection is made for the exchange,
    /// and never to the host behind the tunnel. All exchanges of a pool may use the tunnel from then on,
    /// so those with another login belong to another pool.
    public var tunnelAuthorization: String?
    /// What a cache in front of the transport may do, as the request asks; default
    /// `.useProtocolCachePolicy`.
    ///
    /// libcurl's transport has no cache, and goes by none of it.
    public var cachePolicy = URLRequest.CachePolicy.useProtocolCachePolicy
    /// Which attempt of its task it belongs to, from 1; default 1.
    public var attempt = 1
    /// What the caller says about the task; default nothing.
    public var attributes = TaskAttributes()
    /// The connections that the exchange may use.
    public var pool: Pool
    package private(set) var terms: Terms

    /// How the exchange counts as work to the clock; nil where nothing counts it.
    var work: ExchangeWork? {
        get { terms.work }
        set { terms = terms.with(work: newValue) }
    }

    /// Methods whose request has the same effect if it arrives twice (RFC 9110 section 9.2.2).
    package static let idempotentMethods: Set = [
        "GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE",
    ]

    /// Whether a request may arrive twice: its method is idempotent, or it has an `Idempotency-Key`
    /// (draft-ietf-httpapi-idempotency-key-header).
    package static func isIdempotent(method: String, fields: [Field]) -> Bool {
        // Most are that.
        method == "GET" || idempotentMethods.contains(method)
            || fields.contains {
                $0.name.caseInsensitiveEquals("Idempotency-Key") && !$0.value.isEmpty
            }
    }

    /// Makes an exchange without a body, timeouts or limits.
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
    /// What the exchanges of a session have in common.
    ///
    /// One object for all of them: an exchange is copied several times, and read on another thread
    /// than the one that made it, so what is large in it costs every request.
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

        /// The same terms but for what is given.
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

    /// How long the stages of an exchange may take, in seconds; nil is without limit.
    public struct Timeouts: Sendable, Hashable {
        /// From the start of a connection until it can carry the request, TLS included.
        public var connect: TimeInterval?
        /// From the last of the request that was sent until the response's head is whole.
        ///
        /// Lines of the head, and interim responses, do not prolong it. It does not run while the
        /// exchange is suspended, nor while its body's source has nothing to send, and begins anew
        /// after that.
        public var head: TimeInterval?
        /// Without a byte in either direction, from the moment the exchange has a connection slot.
        public var idle: TimeInterval?
        /// From start to end.
        public var whole: TimeInterval?
        /// Waiting for a connection slot.
        ///
        /// It does not run while the exchange is suspended, and begins anew when it is resumed. No
        /// other timeout but `queueStall` and `whole` runs meanwhile.
        public var queue: TimeInterval?
        /// Waiting for a connection slot while no byte moves on any connection that the exchange could get.
        ///
        /// The failure says what holds those connections. It runs and begins anew as `queue` does.
        public var queueStall: TimeInterval?

        /// Makes timeouts; the default limits nothing.
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

    /// How much a response may hold.
    public struct Limits: Sendable, Hashable {
        /// Bytes of the body after decoding; default `Int.max`.
        public var bodySize: Int
        /// Bytes of the body as they are sent, before decoding; default `Int.max`.
        public var encodedBodySize: Int
        /// Bytes that a content coding may make of each that was sent; default `Int.max`.
        ///
        /// It counts once a body has more than 1 MiB after decoding: small ones may repeat themselves
        /// as they like.
        public var expansionRatio: Int
        /// Bytes of the response's head, field lines and line ends included; default 256 KiB.
        public var headSize: Int
        /// Field lines in the head; default 1,000.
        public var fieldCount: Int
        /// Bytes of the trailer, line ends included; default 64 KiB.
        public var trailerSize = 64 * 1024
        /// Field lines in the trailer; default 100.
        public var trailerFieldCount = 100
        /// Interim responses (1xx) before the final one; default 16.
        public var interimResponseCount = 16
        /// Content codings of a body that is decoded, one upon the other; default 4.
        public var contentCodingCount = 4

        /// Makes limits.
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
