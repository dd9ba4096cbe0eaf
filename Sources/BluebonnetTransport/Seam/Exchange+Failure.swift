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

        /// Makes a failure.
        public init(
            _ code: URLError.Code,
            message: String,
            curlCode: Int32? = nil,
            systemErrorNumber: Int32? = nil
        ) {
            self.code = code
            self.message = message
            self.curlCode = curlCode
            self.systemErrorNumber = systemErrorNumber
        }

        /// The failure of an exchange that was cancelled.
        public static let cancelled = Failure(.cancelled, message: "the exchange was cancelled")

        /// The message, with libcurl's code where there is one.
        public var description: String {
            curlCode.map { "\(message) (libcurl \($0))" } ?? message
        }
    }
}
