public import BluebonnetTransport

extension BluebonnetError {
    /// The reason why the certificate of a server or proxy was refused; nil for other errors.
    public var certificateFault: Exchange.Failure.CertificateFault? {
        if case .transport(let failure, _) = self { failure.certificateFault } else { nil }
    }
}
