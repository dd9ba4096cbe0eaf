import BluebonnetTransport
public import Foundation

/// A certificate and private key that authenticate a client to a server (RFC 8446 section 4.4.2).
///
/// An identity is sent only to a server that requests a certificate. If the server names
/// authorities, one of them must have issued one of the identity's certificates. An identity is
/// checked when it is loaded. An expired one can still be loaded, because the server decides
/// whether to accept it. To check its dates, call ``isValid(at:)``.
///
/// The private key and its passphrase cannot be read, printed or dumped. Two identities are equal
/// if their certificates are equal.
public struct ClientIdentity: Sendable, Hashable {
    let tls: TLSIdentity

    /// Loads an identity from its parts.
    ///
    /// - Parameters:
    ///   - certificate: The certificate and those of its issuers in any order, in PEM or in
    ///     concatenated DER. Certificates outside its chain are omitted.
    ///   - key: The private key in PEM or DER, as PKCS#8 (encrypted or not), PKCS#1 or SEC 1. Pass
    ///     nil if `certificate` contains the key in PEM.
    ///   - passphrase: The passphrase of an encrypted key. Ignored for other keys.
    /// - Throws: ``ClientIdentityError`` if the data cannot be read, or the parts do not belong
    ///   together.
    public init(
        certificate: Data,
        key: Data? = nil,
        passphrase: String? = nil
    ) throws(ClientIdentityError) {
        do throws(TLSIdentity.Failure) {
            tls = try TLSIdentity(
                certificates: certificate, key: key ?? certificate, passphrase: passphrase
            )
        } catch {
            // A DER certificate without a key means that the key is missing, not damaged.
            let isInPEM = certificate.range(of: Data("-----BEGIN ".utf8)) != nil
            let isKeyLess = error.fault == .badKey && key == nil && !isInPEM
            throw isKeyLess ? .noPrivateKey : ClientIdentityError(error)
        }
    }

    /// Loads an identity from a PKCS#12 container (RFC 7292).
    ///
    /// - Parameters:
    ///   - pkcs12: The container, with a private key, its certificate and those of its issuers.
    ///   - passphrase: The passphrase of the container, or nil for none.
    /// - Throws: ``ClientIdentityError`` if the data cannot be read, or the parts do not belong
    ///   together.
    public init(pkcs12: Data, passphrase: String? = nil) throws(ClientIdentityError) {
        do throws(TLSIdentity.Failure) {
            tls = try TLSIdentity(pkcs12: pkcs12, passphrase: passphrase)
        } catch {
            throw ClientIdentityError(error)
        }
    }

    /// Loads an identity from files, which are read once.
    ///
    /// - Parameters:
    ///   - certificateFile: A file URL of the certificate, in PEM or DER, and optionally those of
    ///     its issuers.
    ///   - keyFile: A file URL of the private key; nil, the default, if the key is in the
    ///     certificate's file.
    ///   - passphrase: The passphrase of the key; nil, the default, for none.
    /// - Throws: ``ClientIdentityError`` if a file cannot be read, or the parts do not belong
    ///   together.
    public init(
        certificateFile: URL,
        keyFile: URL? = nil,
        passphrase: String? = nil
    ) throws(ClientIdentityError) {
        let key: Data?
        if let keyFile { key = try Self.contents(of: keyFile) } else { key = nil }
        try self.init(
            certificate: Self.contents(of: certificateFile), key: key, passphrase: passphrase
        )
    }

    /// Loads an identity from a PKCS#12 file, which is read once.
    ///
    /// The parameters are the same as those of ``init(pkcs12:passphrase:)``.
    public init(pkcs12File: URL, passphrase: String? = nil) throws(ClientIdentityError) {
        try self.init(pkcs12: Self.contents(of: pkcs12File), passphrase: passphrase)
    }

    private static func contents(of file: URL) throws(ClientIdentityError) -> Data {
        // Foundation would load any other URL over the network.
        guard file.isFileURL else { throw .unreadableFile(file, underlying: nil) }
        do throws(SystemError) {
            return try FileContents.read(file.path)
        } catch {
            throw error.isAboutMissingFile
                ? .fileNotFound(file) : .unreadableFile(file, underlying: error.posixError)
        }
    }

    /// The certificates to send, in DER: the identity's own, then each certificate's issuer.
    public var certificates: [Data] { tls.certificates }

    /// The subject of the certificate (RFC 4514), with the most specific part first.
    public var subject: String { tls.subject }

    /// The start of the certificate's validity.
    public var notBefore: Date { tls.notBefore }

    /// The end of the certificate's validity.
    public var notAfter: Date { tls.notAfter }

    /// Returns whether a date is within the validity of the certificate.
    public func isValid(at date: Date = Date()) -> Bool {
        notBefore <= date && date <= notAfter
    }
}

extension ClientIdentity: CustomStringConvertible, CustomReflectable {
    /// The subject and the end of the validity, without secrets.
    public var description: String {
        "client identity of \(subject), valid until \(notAfter.formatted(.iso8601))"
    }

    /// The subject and the validity, without secrets.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: ["subject": subject, "notBefore": notBefore, "notAfter": notAfter],
            displayStyle: .struct
        )
    }
}

extension ClientIdentityError {
    init(_ failure: TLSIdentity.Failure) {
        switch failure.fault {
        case .noCertificate: self = .noCertificate
        case .badCertificate: self = .malformedCertificate(reason: failure.reason)
        case .noKey: self = .noPrivateKey
        case .badKey: self = .malformedPrivateKey(reason: failure.reason)
        case .badContainer: self = .malformedPKCS12(reason: failure.reason)
        case .noPassphrase: self = .passphraseMissing
        case .wrongPassphrase: self = .wrongPassphrase
        case .keyMismatch: self = .keyMismatch
        case .unusable: self = .unusable(reason: failure.reason)
        }
    }
}
