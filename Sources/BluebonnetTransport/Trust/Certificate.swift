public import Foundation

/// An X.509 certificate, to be read only; two are equal when all their bytes are (RFC 5280).
///
/// That one can be made says that it can be read, not that anybody should trust it.
public struct Certificate: Sendable {
    /// The whole certificate in DER.
    public let data: Data
    /// Whom it is for, in the form of RFC 2253, such as `CN=example.com,O=Example`.
    public let subject: String
    /// Who signed it, in the same form.
    public let issuer: String
    /// From when on it is valid.
    public let notValidBefore: Date
    /// Until when it is valid.
    public let notValidAfter: Date
    /// The hash of its public key, which other certificates for the same key have too.
    public let publicKeyHash: PublicKeyHash

    /// Reads a certificate in DER.
    ///
    /// - Throws: ``CertificateError/notACertificate(source:reason:)`` for anything else, also when
    ///   more follows it.
    public init(der data: Data) throws(CertificateError) {
        try self.init(der: data, source: "the data")
    }

    init(der data: Data, source: String) throws(CertificateError) {
        guard let parsed = ParsedCertificate(data) else {
            throw .notACertificate(source: source, reason: "its DER is damaged, or no certificate")
        }
        guard let validity = parsed.validity, let hash = parsed.publicKeyHash,
            let subject = parsed.subject, let issuer = parsed.issuer
        else {
            throw .notACertificate(
                source: source, reason: "its names, dates or public key cannot be read")
        }
        // A slice would keep its whole alive.
        self.data = Data(data)
        self.subject = subject
        self.issuer = issuer
        notValidBefore = validity.from
        notValidAfter = validity.until
        publicKeyHash = hash
    }
}

extension Certificate: Hashable {
    /// Whether both have the same bytes.
    public static func == (left: Certificate, right: Certificate) -> Bool {
        left.data == right.data
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(data)
    }
}

extension Certificate: CustomStringConvertible {
    /// Subject, issuer and the last day on which it is valid.
    public var description: String {
        "\(subject) (issued by \(issuer), valid until \(notValidAfter.formatted(.iso8601)))"
    }
}
