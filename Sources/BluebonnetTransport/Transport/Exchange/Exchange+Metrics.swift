public import Foundation

extension Exchange {
    /// The measurements of one exchange, with durations in seconds.
    ///
    /// The encoded form has a key for each property, except for durations that are nil. When
    /// decoding, a property without a key gets its default. The encoder's strategy determines the
    /// format of the date.
    public struct Metrics: Sendable, Hashable, Codable {
        /// The date at which the exchange was passed to the transport.
        public var startDate = Date(timeIntervalSinceReferenceDate: 0)
        /// The time from the start until the exchange had a connection slot.
        public var queueDuration: TimeInterval = 0
        /// The time to look up the host's addresses, or 0 on a reused connection.
        public var nameLookupDuration: TimeInterval = 0
        /// The time to connect to the host or the proxy, or 0 on a reused connection.
        ///
        /// It includes attempts at other addresses, but neither the name lookup nor TLS.
        public var connectDuration: TimeInterval = 0
        /// The time of the TLS handshake, or 0 without TLS and on a reused connection.
        ///
        /// It includes the time to open a tunnel.
        public var tlsDuration: TimeInterval = 0
        /// The time from the connection slot until the request began to be sent, or nil.
        public var requestStartDuration: TimeInterval?
        /// The time from the connection slot until the request was sent completely.
        ///
        /// Nil if it was not, and for a request with a body if libcurl is older than 8.10.
        public var requestEndDuration: TimeInterval?
        /// The time from the connection slot to the first byte of a response, or nil without one.
        ///
        /// Interim responses count.
        public var firstByteDuration: TimeInterval?
        /// The time from the connection slot until the response's head was complete, or nil.
        public var headDuration: TimeInterval?
        /// The time from the start of the exchange to its end.
        public var totalDuration: TimeInterval = 0
        /// Whether the exchange used an open connection.
        public var isConnectionReused = false
        /// The version of the response, such as `HTTP/1.1` or `HTTP/2`.
        ///
        /// Empty without a response.
        public var protocolVersion = ""
        /// The address of the server or the proxy on the connection.
        ///
        /// Empty without a connection and with a Unix socket.
        public var remoteAddress = ""
        /// The port of the server or the proxy on the connection, or 0 without one.
        public var remotePort = 0
        /// The local address of the connection.
        ///
        /// Empty without a connection and with a Unix socket.
        public var localAddress = ""
        /// The local port of the connection, or 0 without one.
        public var localPort = 0
        /// The version of TLS with the server, such as `TLSv1.3`, or empty without TLS.
        public var tlsVersion = ""
        /// OpenSSL's name of the cipher suite, such as `TLS_AES_256_GCM_SHA384`.
        ///
        /// Empty without TLS.
        public var tlsCipherSuite = ""
        /// The bytes of the request's head and of requests for a tunnel.
        ///
        /// They count each time they are sent. For HTTP/2, this is the size of the same head in
        /// HTTP/1.1. If libcurl is 8.7 or newer and sent the request again, this includes the bytes
        /// of the body that were sent on the lost connection.
        public var requestHeaderBytes: Int64 = 0
        /// The bytes sent of the request's body.
        public var requestBodyBytes: Int64 = 0
        /// The bytes of the response's head, including interim responses and trailers.
        ///
        /// For HTTP/2, this is the size of the same head in HTTP/1.1.
        public var responseHeaderBytes: Int64 = 0
        /// The bytes of the response's body on the wire, before decoding.
        public var responseBodyBytes: Int64 = 0
        /// The bytes of the response's body after decoding.
        public var decodedBodyBytes: Int64 = 0
        /// The number of times that libcurl itself sent the request again on another connection.
        ///
        /// It does so after a connection was lost. The durations and bytes are those of the last
        /// time, except ``requestHeaderBytes``, which adds up all times. A request that the session
        /// sends again is another exchange.
        public var resendCount = 0

        /// Creates empty metrics.
        public init() {}
    }
}

extension Exchange.Metrics {
    /// Decodes metrics, in which a property without a key gets its default.
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
