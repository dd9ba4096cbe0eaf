public import Foundation

/// Why certificates or pins could not be read.
@nonexhaustive
public enum CertificateError: Error, Sendable {
    /// The system did not let the file be read.
    case unreadable(URL, underlying: any Error)
    /// What was read is no certificate in DER, and PEM neither.
    case notACertificate(source: String, reason: String)
    /// A pin is not the SHA-256 of a public key.
    case notAPublicKeyHash(String)
}

extension CertificateError: CustomStringConvertible, LocalizedError {
    /// What happened and what to do.
    public var description: String {
        switch self {
        case .unreadable(let url, let error):
            "the certificates in \(url.path) cannot be read: "
                + SystemError.explanation(of: error, advice: "check path and permissions")
        case .notACertificate(let source, let reason):
            "\(source) holds no usable certificate (\(reason)); give certificates in PEM, or one in "
                + "DER"
        case .notAPublicKeyHash(let text):
            "\(text.prefix(100).debugDescription) is no pin; give the SHA-256 of the public key "
                + "(SubjectPublicKeyInfo) as 44 characters of Base64, with or without \"sha256/\""
        }
    }

    /// The same as `description`.
    public var errorDescription: String? { description }
}
