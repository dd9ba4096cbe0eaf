import CBluebonnet
package import Foundation

/// A certificate with its issuers' certificates and its private key, which only OpenSSL holds.
package final class TLSIdentity: Sendable {
    /// The reason why an identity cannot be read, with OpenSSL's description but without secrets.
    package struct Failure: Error, Sendable, Hashable {
        package enum Fault: Sendable, Hashable {
            case noCertificate, badCertificate
            case noKey, badKey
            case badContainer
            case noPassphrase, wrongPassphrase
            /// The key belongs to none of the certificates.
            case keyMismatch
            /// OpenSSL cannot use the identity in a handshake.
            case unusable
        }

        package let fault: Fault
        package let reason: String?
    }

    // Sendable: the object behind the pointer never changes, and OpenSSL counts references
    // atomically.
    nonisolated(unsafe) private let pointer: OpaquePointer
    /// The certificates in DER: its own, then the issuer of each as far as given.
    package let certificates: [Data]
    /// The subject of its own certificate (RFC 4514).
    package let subject: String
    package let notBefore: Date
    package let notAfter: Date

    /// Reads certificates and a key, each in PEM or DER.
    ///
    /// In PEM, both can be in the same data.
    package convenience init(
        certificates: Data,
        key: Data,
        passphrase: String?
    ) throws(Failure) {
        try self.init(passphrase) { passphrase in
            certificates.withBytes { certificates in
                key.withBytes { bb_identity_read(certificates, $0, passphrase) }
            }
        }
    }

    /// Reads the contents of a PKCS#12 container (RFC 7292).
    package convenience init(pkcs12: Data, passphrase: String?) throws(Failure) {
        try self.init(passphrase) { passphrase in
            pkcs12.withBytes { bb_identity_read_pkcs12($0, passphrase) }
        }
    }

    private init(
        _ passphrase: String?,
        _ read: (UnsafePointer<CChar>?) -> bb_identity_result
    ) throws(Failure) {
        // C would take the part before the zero byte for the whole passphrase.
        if passphrase?.utf8.contains(0) == true {
            throw Failure(fault: .wrongPassphrase, reason: "it contains a zero byte")
        }
        let result = passphrase.map { $0.withCString(read) } ?? read(nil)
        guard let pointer = result.identity else { throw Failure(result) }
        self.pointer = pointer
        certificates = Self.certificates(of: pointer)
        subject = Self.subject(of: pointer)
        notBefore = Date(timeIntervalSince1970: TimeInterval(bb_identity_not_before(pointer)))
        notAfter = Date(timeIntervalSince1970: TimeInterval(bb_identity_not_after(pointer)))
    }

    deinit {
        bb_identity_free(pointer)
    }

    private static func certificates(of pointer: OpaquePointer) -> [Data] {
        var certificates: [Data] = []
        while true {
            let index = Int32(certificates.count)
            let size = bb_identity_certificate(pointer, index, nil)
            guard size > 0 else { return certificates }
            var data = Data(count: Int(size))
            data.withUnsafeMutableBytes { bytes in
                let start = bytes.bindMemory(to: UInt8.self).baseAddress
                _ = bb_identity_certificate(pointer, index, start)
            }
            certificates.append(data)
        }
    }

    private static func subject(of pointer: OpaquePointer) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
            let count = bb_identity_subject(pointer, buffer.baseAddress, Int32(buffer.count))
            return String(
                decoding: UnsafeRawBufferPointer(buffer).prefix(Int(count)), as: UTF8.self
            )
        }
    }

    /// Offers the identity, on the connections of an `SSL_CTX`, to servers that request a match.
    ///
    /// Returns false if libcurl's TLS library is not OpenSSL. The identity must outlive the
    /// connections.
    func offer(in tlsContext: UnsafeMutableRawPointer) -> Bool {
        bb_identity_offer(pointer, tlsContext) == 1
    }
}

extension TLSIdentity: Hashable {
    // The key need not be compared: a certificate has one public key, and that has one private key.
    package static func == (one: TLSIdentity, other: TLSIdentity) -> Bool {
        one.certificates == other.certificates
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(certificates)
    }
}

extension TLSIdentity.Failure {
    fileprivate init(_ result: bb_identity_result) {
        fault = Fault(result.fault)
        reason = result.reason.map { String(cString: $0) }
    }
}

extension TLSIdentity.Failure.Fault {
    fileprivate init(_ fault: bb_identity_fault) {
        switch fault {
        case BB_IDENTITY_NO_CERTIFICATE: self = .noCertificate
        case BB_IDENTITY_BAD_CERTIFICATE: self = .badCertificate
        case BB_IDENTITY_NO_KEY: self = .noKey
        case BB_IDENTITY_BAD_KEY: self = .badKey
        case BB_IDENTITY_BAD_CONTAINER: self = .badContainer
        case BB_IDENTITY_NO_PASSPHRASE: self = .noPassphrase
        case BB_IDENTITY_WRONG_PASSPHRASE: self = .wrongPassphrase
        case BB_IDENTITY_KEY_MISMATCH: self = .keyMismatch
        default: self = .unusable
        }
    }
}
