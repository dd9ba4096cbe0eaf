public import Foundation
import FoundationNetworking

extension Exchange.Failure {
    /// The reason why the certificate of a server or a proxy was not accepted.
    public struct CertificateFault: Sendable, Hashable {
        /// The check that failed.
        public var check: Check
        /// The host and port that presented the certificate, such as `example.com:443`.
        public var host: String
        /// The certificates that the server presented, in DER, leaf first.
        ///
        /// Empty if libcurl alone verified them.
        public var presentedChain: [Data]
        /// The question for the challenge hook before this fault is final, or nil for none.
        package var question: TrustQuestion?

        /// A check of a certificate.
        public enum Check: String, Sendable, Hashable, Codable {
            /// The certificate leads to no trusted authority.
            case issuer
            /// A certificate of the chain has expired.
            case expiry
            /// A certificate of the chain is not valid yet.
            case start
            /// The certificate is for other hosts.
            case hostName
            /// No certificate of the verified chain is pinned.
            case pin
            /// The policy did not object, but the certificate was not accepted in its challenge.
            case challenge
            /// A certificate of the chain was revoked, or its issuer's revocation list is missing
            /// or out of date.
            case revocation
            /// Another check failed, such as the purpose or a signature.
            case other
        }

        /// Creates a fault, for example in a stub transport.
        ///
        /// Such a fault is final and leads to no challenge.
        ///
        /// - Parameters:
        ///   - check: The check that failed.
        ///   - host: The host and port that presented the certificate, such as `example.com:443`.
        ///   - presentedChain: The certificates that the server presented, in DER, leaf first. The
        ///     default is empty.
        public init(check: Check, host: String, presentedChain: [Data] = []) {
            self.check = check
            self.host = host
            self.presentedChain = presentedChain
        }
    }

    /// Creates the failure of an exchange for which a certificate was not accepted.
    ///
    /// The certificate is that of a server or a proxy. The failure has the code that libcurl's
    /// transport reports for the check.
    ///
    /// - Parameters:
    ///   - certificateFault: The reason why the certificate was not accepted.
    ///   - message: A description of what happened. The default is nil, which stands for a short
    ///     message with the host and the check.
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
    /// The code of `URLSession`, which has no separate code for host names and pins.
    fileprivate var urlErrorCode: URLError.Code {
        switch self {
        case .issuer: .serverCertificateHasUnknownRoot
        case .expiry: .serverCertificateHasBadDate
        case .start: .serverCertificateNotYetValid
        case .hostName, .pin, .challenge, .revocation, .other: .serverCertificateUntrusted
        }
    }
}
