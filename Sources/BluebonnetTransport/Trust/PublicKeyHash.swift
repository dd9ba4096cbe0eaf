public import Foundation

/// The SHA-256 hash of a public key, the usual form of a pin (RFC 7469 section 2.4).
///
/// The hash is computed from the SubjectPublicKeyInfo in DER.
public struct PublicKeyHash: Sendable, Hashable {
    /// The 32 bytes of the hash.
    public let bytes: Data

    /// Creates a hash from its Base64, with or without the prefix `sha256/`.
    ///
    /// This command computes the hash of a certificate in PEM from its standard input:
    /// `openssl x509 -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64`
    ///
    /// - Parameter text: The Base64 of 32 bytes, such as `sha256/AAAA…=`.
    /// - Throws: ``CertificateError/notAPublicKeyHash(_:)`` if the text does not encode 32 bytes.
    public init(_ text: String) throws(CertificateError) {
        // A second slash is part of the prefix, as libcurl writes it, or begins the Base64.
        let readings = ["", "sha256/", "sha256//"].lazy.filter(text.hasPrefix).compactMap {
            prefix in
            Data(base64Encoded: String(text.dropFirst(prefix.count)))
        }
        guard let bytes = readings.first(where: { $0.count == Self.size }) else {
            throw .notAPublicKeyHash(text)
        }
        self.bytes = bytes
    }

    /// Creates a hash from its 32 bytes.
    ///
    /// - Throws: ``CertificateError/notAPublicKeyHash(_:)`` if there are not 32 bytes.
    public init(bytes: Data) throws(CertificateError) {
        guard bytes.count == Self.size else { throw .notAPublicKeyHash("\(bytes.count) bytes") }
        // Copied, because a slice would retain the data that it is a part of.
        self.bytes = Data(bytes)
    }

    init(computed bytes: [UInt8]) {
        self.bytes = Data(bytes)
    }

    static let size = 32
}

extension PublicKeyHash: CustomStringConvertible {
    /// The Base64 of the hash, after the prefix `sha256/`.
    public var description: String { "sha256/\(bytes.base64EncodedString())" }
}
