public import Foundation

extension Exchange {
    /// What was measured of one exchange; durations are in seconds.
    ///
    /// Its encoded form has a key for each property, and none for a duration that is nil. Decoding gives
    /// a property whose key is missing its default. The encoder's strategy decides the form of the date.
    public struct Metrics: Sendable, Hashable, Codable {
        /// When the exchange was handed to the transport.
        public var startDate = Date(timeIntervalSinceReferenceDate: 0)
        /// From start until the exchange had a connection slot.
        public var queueDuration: TimeInterval = 0
        /// Looking up the host's addresses; 0 on a reused connection.
        public var nameLookupDuration: TimeInterval = 0
        /// Connecting, to the proxy where there is one, without name look-up and TLS; 0 on a reused
        /// connection.
        ///
        /// Attempts at other addresses, before the one that was connected, are a part of it.
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
        /// The address of the server, or of the proxy, that was connected to; empty without a
        /// connection and with a Unix socket.
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
        /// How often libcurl sent the request again by itself, each time on another connection, after one
        /// was lost.
        ///
        /// The durations and bytes are of the last time, those of the request's head of all. What the
        /// session sends again is an exchange of its own.
        public var resendCount = 0

        /// Makes empty metrics.
        public init() {}
    }
}

extension Exchange.Metrics {
    /// Decodes metrics; a property whose key is missing has its default.
    public init(from decoder: any Decoder) throws {
        self.init()
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func read<Value: Decodable>(_ key: CodingKeys, into value: inout Value) throws {
            if let found = try values.decodeIfPresent(Value.self, forKey: key) { value = found }
        }
        try read(.startDate, into: &startDate)
        try read(.queueDuration, into: &queueDuration)
        try read(.nameLookupDuration, into: &nameLookupDuration)
        try read(.connectDuration, into: &connectDuration)
        try read(.tlsDuration, into: &tlsDuration)
        try read(.requestStartDuration, into: &requestStartDuration)
        try read(.requestEndDuration, into: &requestEndDuration)
        try read(.firstByteDuration, into: &firstByteDuration)
        try read(.headDuration, into: &headDuration)
        try read(.totalDuration, into: &totalDuration)
        try read(.isConnectionReused, into: &isConnectionReused)
        try read(.protocolVersion, into: &protocolVersion)
        try read(.remoteAddress, into: &remoteAddress)
        try read(.remotePort, into: &remotePort)
        try read(.localAddress, into: &localAddress)
        try read(.localPort, into: &localPort)
        try read(.tlsVersion, into: &tlsVersion)
        try read(.tlsCipherSuite, into: &tlsCipherSuite)
        try read(.requestHeaderBytes, into: &requestHeaderBytes)
        try read(.requestBodyBytes, into: &requestBodyBytes)
        try read(.responseHeaderBytes, into: &responseHeaderBytes)
        try read(.responseBodyBytes, into: &responseBodyBytes)
        try read(.decodedBodyBytes, into: &decodedBodyBytes)
        try read(.resendCount, into: &resendCount)
    }
}
