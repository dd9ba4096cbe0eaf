import CBluebonnet
import Foundation
import Glibc

/// A certificate parsed by OpenSSL.
struct ParsedCertificate: ~Copyable {
    let pointer: OpaquePointer

    init?(_ der: Data) {
        let pointer = der.withUnsafeBytes { bytes in
            bytes.baseAddress.flatMap {
                bb_certificate_parse($0.assumingMemoryBound(to: UInt8.self), bytes.count)
            }
        }
        guard let pointer else { return nil }
        self.pointer = pointer
    }

    deinit {
        bb_certificate_free(pointer)
    }

    var subject: String? { Self.text(bb_certificate_copy_subject(pointer)) }

    var issuer: String? { Self.text(bb_certificate_copy_issuer(pointer)) }

    /// The period of validity, or nil if a date is invalid.
    ///
    /// The end can be before the start.
    var validity: (from: Date, until: Date)? {
        var (from, until): (Int64, Int64) = (0, 0)
        guard bb_certificate_validity(pointer, &from, &until) == 1 else { return nil }
        return (
            Date(timeIntervalSince1970: TimeInterval(from)),
            Date(timeIntervalSince1970: TimeInterval(until))
        )
    }

    var publicKeyHash: PublicKeyHash? { PublicKeyHash(of: pointer) }

    private static func text(_ copy: UnsafeMutablePointer<CChar>?) -> String? {
        guard let copy else { return nil }
        defer { free(copy) }
        return String(cString: copy)
    }
}

extension PublicKeyHash {
    /// Creates the hash of the public key in an OpenSSL certificate.
    init?(of certificate: OpaquePointer) {
        var digest = [UInt8](repeating: 0, count: Int(BB_DIGEST_CAPACITY))
        guard bb_certificate_key_digest(certificate, &digest) == 1 else { return nil }
        self.init(computed: digest)
    }
}

extension Data {
    /// Creates the DER encoding of an OpenSSL certificate, or returns nil if there is no memory.
    init?(derOf certificate: OpaquePointer) {
        let size = bb_certificate_encode(certificate, nil)
        guard size > 0 else { return nil }
        self.init(count: size)
        let written = withUnsafeMutableBytes { bytes in
            bb_certificate_encode(
                certificate, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
        }
        guard written == size else { return nil }
    }
}
