public import Foundation

/// An error thrown when certificates or pins cannot be read.
@nonexhaustive
public enum CertificateError: Error, Sendable {
    /// The system could not read the file.
    case unreadable(URL, underlying: any Error)
    /// The contents are neither certificates in PEM nor one certificate in DER.
    case notACertificate(source: String, reason: String)
    /// A pin is not the SHA-256 hash of a public key.
    case notAPublicKeyHash(String)
}

extension CertificateError: CustomStringConvertible, LocalizedError {
    /// A description of the error, and advice on what to do.
    public var description: String {
        switch self {
        case .unreadable(let url, let error):
            "the certificates in \(url.path) cannot be read: "
                + SystemError.explanation(of: error, advice: "check path and permissions")
        case .notACertificate(let source, let reason):
            "\(source) contains no usable certificate (\(reason)); use certificates in PEM, or one "
                + "in DER"
        case .notAPublicKeyHash(let text):
            "\(text.prefix(100).debugDescription) is not a pin; use the SHA-256 of the public key "
                + "(SubjectPublicKeyInfo) as 44 characters of Base64, with or without \"sha256/\""
        }
    }

    /// The same as `description`.
    public var errorDescription: String? { description }
}
