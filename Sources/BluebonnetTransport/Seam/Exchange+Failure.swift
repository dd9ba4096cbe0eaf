public import Foundation
import FoundationNetworking

extension Exchange {
    /// Why an exchange did not deliver a whole response.
    public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        /// The code that `URLSession` gives in this situation.
        public var code: URLError.Code {
            get { details.code }
            set { details.code = newValue }
        }
        /// What happened, in words that need no table of codes.
        public var message: String {
            get { details.message }
            set { details.message = newValue }
        }
        /// libcurl's result code where it was libcurl that failed.
        public var curlCode: Int32? {
            get { details.curlCode }
            set { details.curlCode = newValue }
        }
        /// The system's error number where there was one.
        public var systemErrorNumber: Int32? {
            get { details.systemErrorNumber }
            set { details.systemErrorNumber = newValue }
        }
        /// Whether another stream of the request's body would mend it: it must be sent again, and
        /// can be read only once.
        public var needsNewBodyStream: Bool {
            get { details.needsNewBodyStream }
            set { details.needsNewBodyStream = newValue }
        }
        /// Whether the request may be sent once more, by another exchange with ``Exchange/connectsAnew``.
        ///
        /// It was lost with a kept connection before any of a response came, and does no harm twice (RFC
        /// 9110 section 9.2.2, RFC 9112 section 9.3.1). The session does so.
        public var isResendable: Bool {
            get { details.isResendable }
            set { details.isResendable = newValue }
        }
        /// Which timeout struck, where one did; the code is `.timedOut` then.
        public var timeout: Timeout? {
            get { details.timeout }
            set { details.timeout = newValue }
        }
        /// Which limit the response went beyond, where it did.
        public var limit: Limit? {
            get { details.limit }
            set { details.limit = newValue }
        }
        /// Which part of the response broke the rules of HTTP, where one did; the code is
        /// `.badServerResponse` then.
        ///
        /// Nil for a response that was cut off where its connection ended, whose code is
        /// `.networkConnectionLost`.
        public var malformedPart: MalformedPart? {
            get { details.malformedPart }
            set { details.malformedPart = newValue }
        }
        /// The status with which a proxy refused to open a tunnel (RFC 9110 section 9.3.6).
        ///
        /// A request that a proxy forwards without a tunnel has a response instead, also when the
        /// proxy made it itself.
        public var proxyStatus: Int? {
            get { details.proxyStatus }
            set { details.proxyStatus = newValue }
        }
        /// The header fields with which a proxy refused to open a tunnel, such as `Proxy-Authenticate`;
        /// empty where none did, and where its head is malformed.
        ///
        /// The head of such a refusal has at most 8 KiB.
        public var proxyFields: [Exchange.Field] {
            get { details.proxyFields }
            set { details.proxyFields = newValue }
        }
        /// What the pool's address guard denied, where it did.
        public var denial: AddressGuard.Denial? {
            get { details.denial }
            set { details.denial = newValue }
        }
        /// What was wrong with a server's certificate, where it was not accepted.
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

        /// Behind a reference: most exchanges have none, and are asked and passed on many times.
        private var box: Box

        private var details: Details {
            get { box.details }
            set { box = Box(newValue) }
        }

        /// A limit of ``Exchange/Timeouts``, or the one of challenges.
        public enum Timeout: String, Sendable, Hashable, Codable {
            /// The connection could not carry a request in time.
            case connect
            /// The response's head was not whole in time.
            case head
            /// No data came or went for too long.
            case idle
            /// The exchange took too long.
            case whole
            /// No connection became free in time.
            case queue
            /// For too long, no connection became free and no byte moved on those the exchange waited for.
            case queueStall
            /// A challenge was not answered in time.
            case challenge
        }

        /// A limit of ``Exchange/Limits``.
        public enum Limit: String, Sendable, Hashable, Codable {
            /// The body was too large after decoding.
            case bodySize
            /// The body was too large as it was sent.
            case encodedBodySize
            /// The body grew too much when it was decoded.
            case expansionRatio
            /// The head, with the interim responses before it, was too large.
            case headSize
            /// The head had too many fields.
            case fieldCount
            /// The trailer was too large.
            case trailerSize
            /// The trailer had too many fields.
            case trailerFieldCount
            /// Too many interim responses (1xx) came before the final one.
            case interimResponseCount
            /// The body had too many content codings, one upon the other.
            case contentCodingCount
        }

        /// A part of a response over HTTP/1 that RFC 9112 has rules for.
        public enum MalformedPart: String, Sendable, Hashable, Codable {
            /// The status line is none, has a version that was not spoken, or a status that was not
            /// asked for (section 4).
            case statusLine
            /// A line of the head is no header field, the fields leave it open where the body ends, or
            /// the head does not (sections 5 and 6.3).
            case head
            /// A chunk's size, extension or end is not what the chunked coding demands (section 7.1).
            case chunk
            /// A line of the trailer is no field (section 7.1.2).
            case trailer
        }

        /// Makes a failure.
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

        /// The failure of an exchange that was cancelled.
        public static let cancelled = Failure(.cancelled, message: "the exchange was cancelled")

        /// Whether they say the same.
        public static func == (left: Self, right: Self) -> Bool { left.details == right.details }

        /// Feeds everything that it says to the hasher.
        public func hash(into hasher: inout Hasher) { hasher.combine(details) }

        /// The message, with libcurl's code where there is one.
        public var description: String {
            curlCode.map { "\(message) (libcurl \($0))" } ?? message
        }
    }
}
