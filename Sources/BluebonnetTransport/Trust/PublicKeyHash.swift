public import Foundation

/// The SHA-256 of a public key (SubjectPublicKeyInfo in DER), the usual form of a pin (RFC 7469
/// section 2.4).
public struct PublicKeyHash: Sendable, Hashable {
    /// Its 32 bytes.
    public let bytes: Data

    /// Makes a hash of its Base64, with or without `sha256/` before it.
    ///
    /// This makes one of a certificate in PEM:
    /// `openssl x509 -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64`
    ///
    /// - Throws: ``CertificateError/notAPublicKeyHash(_:)`` for anything but 32 bytes.
    public init(_ text: String) throws(CertificateError) {
        // A slash may be the prefix's, as libcurl writes it, or the first character of the Base64.
        let readings = ["", "sha256/", "sha256//"].lazy.filter(text.hasPrefix).compactMap {
            prefix in
            Data(base64Encoded: String(text.dropFirst(prefix.count)))
        }
        guard let bytes = readings.first(where: { $0.count == Self.size }) else {
            throw .notAPublicKeyHash(text)
        }
        self.bytes = bytes
    }

    /// Makes a hash of its 32 bytes.
    ///
    /// - Throws: ``CertificateError/notAPublicKeyHash(_:)`` for any other number.
    public init(bytes: Data) throws(CertificateError) {
        guard bytes.count == Self.size else { throw .notAPublicKeyHash("\(bytes.count) bytes") }
        // A slice would keep its whole alive.
        self.bytes = Data(bytes)
    }

    init(computed bytes: [UInt8]) {
        self.bytes = Data(bytes)
    }

    static let size = 32
}

extension PublicKeyHash: CustomStringConvertible {
    /// `sha256/` and the Base64.
    public var description: String { "sha256/\(bytes.base64EncodedString())" }
}
