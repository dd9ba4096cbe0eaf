public import Foundation
import FoundationNetworking

extension Exchange {
    /// Why an exchange did not deliver a whole response.
    public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        /// The code that `URLSession` gives in this situation.
        public var code: URLError.Code
        /// What happened, in words that need no table of codes.
        public var message: String
        /// libcurl's result code where it was libcurl that failed.
        public var curlCode: Int32?
        /// The system's error number where there was one.
        public var systemErrorNumber: Int32?
        /// Whether another stream of the request's body would mend it: it must be sent again, and
        /// can be read only once.
        public var needsNewBodyStream = false
        /// Which timeout struck, where one did; the code is `.timedOut` then.
        public var timeout: Timeout?
        /// Which limit the response went beyond, where it did.
        public var limit: Limit?
        /// The status with which a proxy refused to open a tunnel (RFC 9110 section 9.3.6).
        ///
        /// A request that a proxy forwards without a tunnel has a response instead, also when the
        /// proxy made it itself.
        public var proxyStatus: Int?
        /// What the pool's address guard denied, where it did.
        public var denial: AddressGuard.Denial?
        /// What was wrong with a server's certificate, where it was not accepted.
        public var certificateFault: CertificateFault?

        /// A limit of ``Exchange/Timeouts``, or the one of challenges.
        public enum Timeout: String, Sendable, Hashable {
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
            /// A challenge was not answered in time.
            case challenge
        }

        /// A limit of ``Exchange/Limits``.
        public enum Limit: String, Sendable, Hashable {
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
            /// The body of a redirect was too large to be kept for a hook.
            case redirectBodySize
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
            self.code = code
            self.message = message
            self.curlCode = curlCode
            self.systemErrorNumber = systemErrorNumber
            self.timeout = timeout
            self.limit = limit
            self.proxyStatus = proxyStatus
        }

        /// The failure of an exchange that was cancelled.
        public static let cancelled = Failure(.cancelled, message: "the exchange was cancelled")

        /// The message, with libcurl's code where there is one.
        public var description: String {
            curlCode.map { "\(message) (libcurl \($0))" } ?? message
        }
    }
}
