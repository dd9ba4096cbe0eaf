import BluebonnetTransport
public import Foundation

/// An error in loading a client identity.
///
/// Neither the error nor its description contains the key or the passphrase.
@nonexhaustive
public enum ClientIdentityError: Error, Sendable {
    /// The file does not exist.
    case fileNotFound(URL)
    /// The file could not be read, or the URL is not a file URL.
    case unreadableFile(URL, underlying: (any Error)?)
    /// The data contains no certificate.
    case noCertificate
    /// A certificate is damaged, or is neither PEM nor DER.
    case malformedCertificate(reason: String?)
    /// The data contains no private key.
    case noPrivateKey
    /// The private key is damaged, has an unknown type, or is neither PEM nor DER.
    case malformedPrivateKey(reason: String?)
    /// The data is not PKCS#12, is damaged, or uses an algorithm that OpenSSL has disabled.
    case malformedPKCS12(reason: String?)
    /// The key or the container is encrypted, and no passphrase was passed.
    case passphraseMissing
    /// The passphrase does not match the key or the container.
    case wrongPassphrase
    /// The private key matches none of the certificates.
    case keyMismatch
    /// OpenSSL rejects the certificate and key for handshakes, for example because a key is too
    /// short.
    case unusable(reason: String?)
}

extension ClientIdentityError: CustomStringConvertible {
    /// A description of what happened and what to do about it.
    public var description: String {
        switch self {
        case .fileNotFound(let url):
            "the client identity file \(url.path) does not exist; check the path"
        case .unreadableFile(let url, nil):
            "\(url.absoluteString) is not a file URL; load the data and pass that instead"
        case .unreadableFile(let url, let error?):
            "the client identity file \(url.path) cannot be read: "
                + SystemError.explanation(of: error, advice: "check the path and permissions")
        case .noCertificate:
            "the data of a client identity contains no certificate; pass one in PEM or DER"
        case .malformedCertificate(let reason):
            "a client identity's certificate is damaged, or neither PEM nor DER\(Self.text(reason))"
        case .noPrivateKey:
            "the data of a client identity contains no private key; pass the key with the "
                + "certificate"
        case .malformedPrivateKey(let reason):
            "a client identity's private key is damaged or has an unknown type"
                + "\(Self.text(reason)); pass PKCS#8, PKCS#1 or SEC 1, in PEM or DER"
        case .malformedPKCS12(let reason):
            "the PKCS#12 container is damaged, or uses an algorithm that OpenSSL has "
                + "disabled\(Self.text(reason)); convert an old one with openssl pkcs12 -legacy"
        case .passphraseMissing:
            "a client identity's private key is encrypted; pass its passphrase"
        case .wrongPassphrase:
            "the passphrase does not match the client identity's private key; check the passphrase"
        case .keyMismatch:
            "a client identity's private key matches none of its certificates; pass the key that "
                + "the certificate was issued for"
        case .unusable(let reason):
            "OpenSSL rejects the client identity\(Self.text(reason)); obtain a new one"
        }
    }

    private static func text(_ reason: String?) -> String { reason.map { " (\($0))" } ?? "" }
}
