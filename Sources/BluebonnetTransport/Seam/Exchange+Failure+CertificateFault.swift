public import Foundation
import FoundationNetworking

extension Exchange.Failure {
    /// Why the certificate of a server, or of a proxy, was not accepted.
    public struct CertificateFault: Sendable, Hashable {
        /// The check that failed.
        public var check: Check
        /// Host and port that presented the certificate, such as `example.com:443`.
        public var host: String
        /// What the server presented, in DER, leaf first; empty where libcurl alone has verified.
        public var presentedChain: [Data]
        /// What the challenge hook may be asked before this is final; nil for nothing.
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

        /// Makes a fault, as a stub transport does.
        ///
        /// A fault that is made so is final: no challenge asks about it.
        ///
        /// - Parameters:
        ///   - check: The check that failed.
        ///   - host: Host and port that presented the certificate, such as `example.com:443`.
        ///   - presentedChain: What the server presented, in DER, leaf first; empty by default.
        public init(check: Check, host: String, presentedChain: [Data] = []) {
            self.check = check
            self.host = host
            self.presentedChain = presentedChain
        }
    }

    /// Makes the failure of an exchange with a server, or a proxy, whose certificate was not accepted.
    ///
    /// It has the code that libcurl's transport gives for the check.
    ///
    /// - Parameters:
    ///   - certificateFault: What was wrong with the certificate.
    ///   - message: What happened; nil, the default, for host and check in a few words.
    public init(certificateFault: CertificateFault, message: String? = nil) {
        let (host, check) = (certificateFault.host, certificateFault.check)
        self.init(
            check.urlErrorCode,
            message: message
                ?? "the certificate of \(host) is not accepted (\(check.rawValue))"
        )
        self.certificateFault = certificateFault
    }
}

extension Exchange.Failure.CertificateFault.Check {
    /// The code of `URLSession`, which has none of its own for names and pins.
    fileprivate var urlErrorCode: URLError.Code {
        switch self {
        case .issuer: .serverCertificateHasUnknownRoot
        case .expiry: .serverCertificateHasBadDate
        case .start: .serverCertificateNotYetValid
        case .hostName, .pin, .challenge, .revocation, .other: .serverCertificateUntrusted
        }
    }
}
