public import BluebonnetTransport

/// The certificates that a server presented, for a decision about whether to trust them.
///
/// If ``fault`` is not nil, nothing about the certificates is proven. Anyone can have created them,
/// including their names and dates.
public struct ServerTrust: Sendable, Hashable {
    /// The chain as the server sent it, with its own certificate first, never empty.
    public let certificates: [Certificate]
    /// The check of the security policy that failed, or nil if the policy accepts the certificates.
    public let fault: Exchange.Failure.CertificateFault.Check?
}

extension ServerTrust {
    /// Creates a server trust for a challenge about a certificate fault.
    ///
    /// Returns nil if the fault needs no challenge, or if a certificate cannot be parsed and shown.
    init?(_ fault: Exchange.Failure.CertificateFault) {
        guard fault.question != nil, !fault.presentedChain.isEmpty else { return nil }
        let certificates = fault.presentedChain.compactMap { try? Certificate(der: $0) }
        guard certificates.count == fault.presentedChain.count else { return nil }
        self.certificates = certificates
        self.fault = fault.check == .challenge ? nil : fault.check
    }
}

extension ServerTrust: CustomStringConvertible {
    /// The server's certificate, and the check that failed.
    public var description: String {
        let leaf = certificates.first.map { "\($0)" } ?? "no certificate"
        return fault.map { "\(leaf), not accepted because of its \($0.rawValue)" } ?? leaf
    }
}
