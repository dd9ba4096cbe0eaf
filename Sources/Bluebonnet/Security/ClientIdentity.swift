import BluebonnetTransport
public import Foundation

/// A certificate and its private key, with which a server is told who asks (RFC 8446 section 4.4.2).
///
/// It is sent only to a server that asks for a certificate, and only if one of its certificates was
/// issued by an authority that the server names, or the server names none. It is checked when it is
/// loaded. An expired one can be loaded all the same, because it is the server that judges it: see
/// ``isValid(at:)``.
///
/// Neither the key nor its passphrase can be had from it, printed or dumped. Two are equal when
/// their certificates are.
public struct ClientIdentity: Sendable, Hashable {
    let tls: TLSIdentity

    /// Loads an identity from its parts.
    ///
    /// - Parameters:
    ///   - certificate: The certificate and those of its issuers in any order, in PEM, or in DER one
    ///     after the other. What did not issue it is left out.
    ///   - key: The private key in PEM or DER: PKCS#8, encrypted or not, PKCS#1 or SEC 1. Nil when it
    ///     is among the certificates, in PEM.
    ///   - passphrase: What the key is encrypted with; of no meaning for others.
    /// - Throws: ``ClientIdentityError`` for what cannot be read, or does not belong together.
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
            // A certificate in DER is no damaged key.
            let isInPEM = certificate.range(of: Data("-----BEGIN ".utf8)) != nil
            let isKeyLess = error.fault == .badKey && key == nil && !isInPEM
            throw isKeyLess ? .noPrivateKey : ClientIdentityError(error)
        }
    }

    /// Loads an identity from a PKCS#12 container (RFC 7292).
    ///
    /// - Parameters:
    ///   - pkcs12: The container, with a private key, its certificate and those of its issuers.
    ///   - passphrase: What it is encrypted with; nil for none.
    /// - Throws: ``ClientIdentityError`` for what cannot be read, or does not belong together.
    public init(pkcs12: Data, passphrase: String? = nil) throws(ClientIdentityError) {
        do throws(TLSIdentity.Failure) {
            tls = try TLSIdentity(pkcs12: pkcs12, passphrase: passphrase)
        } catch {
            throw ClientIdentityError(error)
        }
    }

    /// Loads an identity from files, which are read once.
    ///
    /// The parameters are those of ``init(certificate:key:passphrase:)``.
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

    /// Loads an identity from a file in PKCS#12, which is read once.
    ///
    /// The parameters are those of ``init(pkcs12:passphrase:)``.
    public init(pkcs12File: URL, passphrase: String? = nil) throws(ClientIdentityError) {
        try self.init(pkcs12: Self.contents(of: pkcs12File), passphrase: passphrase)
    }

    private static func contents(of file: URL) throws(ClientIdentityError) -> Data {
        // Foundation would fetch another URL over the network.
        guard file.isFileURL else { throw .unreadableFile(file, underlying: nil) }
        do throws(SystemError) {
            return try FileContents.read(file.path)
        } catch {
            throw error.isAboutMissingFile
                ? .fileNotFound(file) : .unreadableFile(file, underlying: error.posixError)
        }
    }

    /// The certificates that are sent, in DER: the identity's own, then each one's issuer.
    public var certificates: [Data] { tls.certificates }

    /// The name in its certificate (RFC 4514), the most specific part first.
    public var subject: String { tls.subject }

    /// The moment from which its certificate is valid.
    public var notBefore: Date { tls.notBefore }

    /// The moment up to which its certificate is valid.
    public var notAfter: Date { tls.notAfter }

    /// Whether its certificate is valid at a moment, by that certificate's own dates.
    public func isValid(at date: Date = Date()) -> Bool {
        notBefore <= date && date <= notAfter
    }
}

extension ClientIdentity: CustomStringConvertible, CustomReflectable {
    /// The subject and the end of its validity, nothing that is secret.
    public var description: String {
        "client identity of \(subject), valid until \(notAfter.formatted(.iso8601))"
    }

    /// The subject and the validity, nothing that is secret.
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
