package import Foundation

extension Exchange.Failure {
    /// Why the certificate of a server, or of a proxy, was not accepted.
    public struct CertificateFault: Sendable, Hashable {
        /// The check that failed.
        public var check: Check
        /// Host and port that presented the certificate, such as `example.com:443`.
        public var host: String
        /// What the server presented, in DER, leaf first; empty where libcurl alone has verified.
        package var presentedChain: [Data]
        /// What somebody may be asked before this is final; nil for nothing.
        package var question: TrustQuestion?

        /// What is checked of a certificate.
        public enum Check: String, Sendable, Hashable, Codable {
            /// It leads to no authority that is trusted.
            case issuer
            /// A certificate of the chain is not valid any more.
            case expiry
            /// A certificate of the chain is not valid yet.
            case start
            /// It is for other hosts.
            case hostName
            /// No certificate of the verified chain is pinned.
            case pin
            /// The policy has nothing against it, but it was not accepted in the challenge about it.
            case challenge
            /// A certificate of the chain was revoked, or its issuer's revocation list is missing or out
            /// of date.
            case revocation
            /// Anything else, such as its purpose or a signature.
            case other
        }

        package init(check: Check, host: String, presentedChain: [Data] = []) {
            self.check = check
            self.host = host
            self.presentedChain = presentedChain
        }
    }
}
