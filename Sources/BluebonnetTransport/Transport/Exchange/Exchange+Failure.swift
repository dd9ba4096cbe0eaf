public import Foundation
import FoundationNetworking

extension Exchange {
    /// The reason why an exchange did not deliver a complete response.
    public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        /// The code that `URLSession` reports in this situation.
        public var code: URLError.Code {
            get { details.code }
            set { details.code = newValue }
        }
        /// A description of what happened, readable without a table of codes.
        public var message: String {
            get { details.message }
            set { details.message = newValue }
        }
        /// libcurl's result code, or nil if libcurl did not fail.
        public var curlCode: Int32? {
            get { details.curlCode }
            set { details.curlCode = newValue }
        }
        /// The system's error number, or nil if there was none.
        public var systemErrorNumber: Int32? {
            get { details.systemErrorNumber }
            set { details.systemErrorNumber = newValue }
        }
        /// Whether the exchange could be repeated with a new stream of the request's body.
        ///
        /// The body must be sent again, and its stream can be read only once.
        public var needsNewBodyStream: Bool {
            get { details.needsNewBodyStream }
            set { details.needsNewBodyStream = newValue }
        }
        /// Whether the request can be sent once more, on a new connection.
        ///
        /// A reused connection was lost before any part of a response arrived, and sending the
        /// request twice does no harm (RFC 9110 section 9.2.2, RFC 9112 section 9.3.1). The session
        /// sends it again in an exchange with ``Exchange/connectsAnew``.
        public var isResendable: Bool {
            get { details.isResendable }
            set { details.isResendable = newValue }
        }
        /// Whether the server has said that it did not process the request.
        ///
        /// It refused the HTTP/2 stream, or ended the connection with a GOAWAY that excludes the
        /// stream (RFC 9113 sections 6.8 and 8.7). Such a request can be sent again, whatever its
        /// method. If the server refuses requests again and again, wait before that.
        public var isUnprocessed: Bool {
            get { details.isUnprocessed }
            set { details.isUnprocessed = newValue }
        }
        /// The timeout that expired, or nil.
        ///
        /// If one did, the code is `.timedOut`.
        public var timeout: Timeout? {
            get { details.timeout }
            set { details.timeout = newValue }
        }
        /// The limit that the response exceeded, or nil.
        public var limit: Limit? {
            get { details.limit }
            set { details.limit = newValue }
        }
        /// The part of the response that violates HTTP, or nil.
        ///
        /// If there is one, the code is `.badServerResponse`. It is nil for a response that was
        /// truncated by the end of its connection, whose code is `.networkConnectionLost`.
        public var malformedPart: MalformedPart? {
            get { details.malformedPart }
            set { details.malformedPart = newValue }
        }
        /// The status code with which a proxy refused to open a tunnel, or nil.
        ///
        /// See RFC 9110 section 9.3.6. A request that a proxy forwards without a tunnel gets a
        /// response instead, even if the proxy itself created that response.
        public var proxyStatus: Int? {
            get { details.proxyStatus }
            set { details.proxyStatus = newValue }
        }
        /// The header fields with which a proxy refused to open a tunnel.
        ///
        /// An example is `Proxy-Authenticate`. Empty if no proxy refused, or if the head of its
        /// refusal is malformed or longer than 8 KiB.
        public var proxyFields: [Exchange.Field] {
            get { details.proxyFields }
            set { details.proxyFields = newValue }
        }
        /// The denial by the pool's address guard, or nil.
        public var denial: AddressGuard.Denial? {
            get { details.denial }
            set { details.denial = newValue }
        }
        /// The reason why a server's certificate was not accepted, or nil.
        public var certificateFault: CertificateFault? {
            get { details.certificateFault }
            set { details.certificateFault = newValue }
        }

        private struct Details: Hashable {
            var code: URLError.Code
            var message: String
            var curlCode: Int32?
            var systemErrorNumber: Int32?
            var needsNewBodyStream: Bool = false
            var isResendable: Bool = false
            var isUnprocessed: Bool = false
            var timeout: Timeout?
            var limit: Limit?
            var malformedPart: MalformedPart?
            var proxyStatus: Int?
            var proxyFields: [Exchange.Field] = []
            var denial: AddressGuard.Denial?
            var certificateFault: CertificateFault?
        }

        private final class Box: Sendable {
            let details: Details

            init(_ details: Details) {
                self.details = details
            }
        }

        /// Stored by reference, because optional failures are copied often and most are nil.
        private var box: Box

        private var details: Details {
            get { box.details }
            set { box = Box(newValue) }
        }

        /// A timeout of ``Exchange/Timeouts``, or the timeout of challenges.
        public enum Timeout: String, Sendable, Hashable, Codable {
            /// The connection could not carry a request in time.
            case connect
            /// The response's head was not complete in time.
            case head
            /// No data was sent or received for too long.
            case idle
            /// The exchange took too long.
            case whole
            /// No connection became free in time.
            case queue
            /// All connections that the exchange waited for were in use and stalled too long.
            case queueStall
            /// A challenge was not answered in time.
            case challenge
        }

        /// A limit of ``Exchange/Limits``.
        public enum Limit: String, Sendable, Hashable, Codable {
            /// The body was too large after decoding.
            case bodySize
            /// The body was too large before decoding.
            case encodedBodySize
            /// The body grew too much in decoding.
            case expansionRatio
            /// The head, with the interim responses before it, was too large.
            case headSize
            /// The head had too many fields.
            case fieldCount
            /// The trailer was too large.
            case trailerSize
            /// The trailer had too many fields.
            case trailerFieldCount
            /// Too many interim responses (1xx) arrived before the final one.
            case interimResponseCount
            /// The body had too many content codings.
            case contentCodingCount
        }

        /// A part of an HTTP/1 response that can violate RFC 9112.
        public enum MalformedPart: String, Sendable, Hashable, Codable {
            /// The status line is invalid, or has an unsupported version or an unrequested status
            /// code (section 4).
            case statusLine
            /// A line of the head is not a header field, the end of the body is ambiguous, or the
            /// head does not end (sections 5 and 6.3).
            case head
            /// A chunk's size, extension or end violates the chunked coding (section 7.1).
            case chunk
            /// A line of the trailer is not a field (section 7.1.2).
            case trailer
        }

        /// Creates a failure.
        public init(
            _ code: URLError.Code,
            message: String,
            curlCode: Int32? = nil,
            systemErrorNumber: Int32? = nil,
            timeout: Timeout? = nil,
            limit: Limit? = nil,
            proxyStatus: Int? = nil
        ) {
            box = Box(
                Details(
                    code: code, message: message, curlCode: curlCode,
                    systemErrorNumber: systemErrorNumber, timeout: timeout, limit: limit,
                    proxyStatus: proxyStatus))
        }

        /// The failure of an exchange that was canceled.
        public static let cancelled = Failure(.cancelled, message: "the exchange was canceled")

        /// Returns whether all properties of two failures are equal.
        public static func == (left: Self, right: Self) -> Bool { left.details == right.details }

        /// Feeds all properties to the hasher.
        public func hash(into hasher: inout Hasher) { hasher.combine(details) }

        /// The message, followed by libcurl's code if there is one.
        public var description: String {
            curlCode.map { "\(message) (libcurl \($0))" } ?? message
        }
    }
}
