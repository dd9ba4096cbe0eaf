import BluebonnetTransport
public import Foundation

/// Why a client identity cannot be loaded.
///
/// Neither key nor passphrase is in it, nor in its description.
@nonexhaustive
public enum ClientIdentityError: Error, Sendable {
    /// There is no such file.
    case fileNotFound(URL)
    /// The system did not let the file be read, or it is no file's URL.
    case unreadableFile(URL, underlying: (any Error)?)
    /// There is no certificate in what was given.
    case noCertificate
    /// A certificate is damaged, or neither PEM nor DER.
    case malformedCertificate(reason: String?)
    /// There is no private key in what was given.
    case noPrivateKey
    /// The private key is damaged, of an unknown kind, or neither PEM nor DER.
    case malformedPrivateKey(reason: String?)
    /// The PKCS#12 container is damaged, is none, or uses an algorithm that OpenSSL has switched off.
    case malformedPKCS12(reason: String?)
    /// The key or the container is encrypted, and no passphrase was given.
    case passphraseMissing
    /// The passphrase is not that of the key or the container.
    case wrongPassphrase
    /// The private key belongs to none of the certificates.
    case keyMismatch
    /// OpenSSL would not take certificate and key in a handshake: a key is too short, for example.
    case unusable(reason: String?)
}

extension ClientIdentityError: CustomStringConvertible {
    /// What happened and what to do.
    public var description: String {
        switch self {
        case .fileNotFound(let url):
            "there is no file \(url.path) to load a client identity from; check the path"
        case .unreadableFile(let url, nil):
            "\(url.absoluteString) is no file's URL; load the data and give that"
        case .unreadableFile(let url, let error?):
            "the file \(url.path) of a client identity cannot be read: "
                + SystemError.explanation(of: error, advice: "check path and permissions")
        case .noCertificate:
            "there is no certificate in what was given as a client identity's; give one in PEM or DER"
        case .malformedCertificate(let reason):
            "a client identity's certificate is damaged, or neither PEM nor DER\(Self.text(reason))"
        case .noPrivateKey:
            "there is no private key in what was given for a client identity; give it beside the "
                + "certificate"
        case .malformedPrivateKey(let reason):
            "a client identity's private key is damaged or of an unknown kind\(Self.text(reason)); "
                + "give PKCS#8, PKCS#1 or SEC 1, in PEM or DER"
        case .malformedPKCS12(let reason):
            "the PKCS#12 container is damaged, or made with an algorithm that OpenSSL has switched "
                + "off\(Self.text(reason)); an old one can be made anew with openssl pkcs12 -legacy"
        case .passphraseMissing:
            "a client identity's private key is encrypted; give its passphrase"
        case .wrongPassphrase:
            "the passphrase is not that of the client identity's private key"
        case .keyMismatch:
            "a client identity's private key belongs to none of its certificates; give the key that "
                + "the certificate was made for"
        case .unusable(let reason):
            "OpenSSL does not take the client identity\(Self.text(reason)); have another made"
        }
    }

    private static func text(_ reason: String?) -> String { reason.map { " (\($0))" } ?? "" }
}
