public import BluebonnetTransport

extension BluebonnetError {
    /// What was wrong with the certificate of a server, or of a proxy, that was not accepted; nil
    /// when it was something else.
    public var certificateFault: Exchange.Failure.CertificateFault? {
        if case .transport(let failure, _) = self { failure.certificateFault } else { nil }
    }
}
