public import BluebonnetTransport

/// The certificates that a server has presented, for somebody to decide whether to trust it.
///
/// Nothing in them is proven but what ``fault`` says: where it is not nil, anybody may have made
/// them, names and dates included.
public struct ServerTrust: Sendable, Hashable {
    /// The chain as the server sent it, its own certificate first; never empty.
    public let certificates: [Certificate]
    /// What the security policy holds against it; nil when the policy accepts it.
    public let fault: Exchange.Failure.CertificateFault.Check?
}

extension ServerTrust {
    /// Nil where nobody is to be asked, or where a certificate cannot be read and so not be shown.
    init?(_ fault: Exchange.Failure.CertificateFault) {
        guard fault.question != nil, !fault.presentedChain.isEmpty else { return nil }
        let certificates = fault.presentedChain.compactMap { try? Certificate(der: $0) }
        guard certificates.count == fault.presentedChain.count else { return nil }
        self.certificates = certificates
        self.fault = fault.check == .challenge ? nil : fault.check
    }
}

extension ServerTrust: CustomStringConvertible {
    /// Whose certificate it is, and what is wrong with it.
    public var description: String {
        let leaf = certificates.first.map { "\($0)" } ?? "no certificate"
        return fault.map { "\(leaf), not accepted for its \($0.rawValue)" } ?? leaf
    }
}
