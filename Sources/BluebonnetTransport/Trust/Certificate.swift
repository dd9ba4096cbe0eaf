public import Foundation

/// An X.509 certificate (RFC 5280).
///
/// Two certificates are equal if all their bytes are equal. Creating a value parses a certificate,
/// but does not verify it.
public struct Certificate: Sendable {
    /// The whole certificate in DER.
    public let data: Data
    /// The subject in the form of RFC 2253, such as `CN=example.com,O=Example`.
    public let subject: String
    /// The issuer in the form of RFC 2253.
    public let issuer: String
    /// The date from which the certificate is valid.
    public let notValidBefore: Date
    /// The date until which the certificate is valid.
    public let notValidAfter: Date
    /// The hash of the public key, which is the same for all certificates with this key.
    public let publicKeyHash: PublicKeyHash

    /// Creates a certificate from its DER encoding.
    ///
    /// - Throws: ``CertificateError/notACertificate(source:reason:)`` if the data is not a
    ///   certificate, or has bytes after it.
    public init(der data: Data) throws(CertificateError) {
        try self.init(der: data, source: "the data")
    }

    init(der data: Data, source: String) throws(CertificateError) {
        guard let parsed = ParsedCertificate(data) else {
            throw .notACertificate(
                source: source, reason: "its DER is damaged, or is not a certificate")
        }
        guard let validity = parsed.validity, let hash = parsed.publicKeyHash,
            let subject = parsed.subject, let issuer = parsed.issuer
        else {
            throw .notACertificate(
                source: source, reason: "its names, dates or public key cannot be read")
        }
        // Copied, because a slice would retain the data that it is a part of.
        self.data = Data(data)
        self.subject = subject
        self.issuer = issuer
        notValidBefore = validity.from
        notValidAfter = validity.until
        publicKeyHash = hash
    }
}

extension Certificate: Hashable {
    /// Returns whether two certificates have the same bytes.
    public static func == (left: Certificate, right: Certificate) -> Bool {
        left.data == right.data
    }

    /// Feeds the bytes to the hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(data)
    }
}

extension Certificate: CustomStringConvertible {
    /// The subject, the issuer, and the date until which the certificate is valid.
    public var description: String {
        "\(subject) (issued by \(issuer), valid until \(notValidAfter.formatted(.iso8601)))"
    }
}
