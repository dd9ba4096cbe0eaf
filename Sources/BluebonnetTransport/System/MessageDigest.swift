import CBluebonnet
package import Foundation

/// A hash function that HTTP authentication uses, computed by OpenSSL.
package enum MessageDigest: Sendable, CaseIterable {
    case md5
    case sha256
    /// SHA-512/256, which is not a truncated SHA-512 (FIPS 180-4 section 5.3.6).
    case sha512_256

    /// The error thrown when OpenSSL does not provide a function, such as MD5 in FIPS mode.
    package struct Unavailable: Error, Sendable, Hashable {
        package let digest: MessageDigest
    }

    /// Returns the hash of the bytes.
    package func hash(of bytes: some ContiguousBytes) throws(Unavailable) -> [UInt8] {
        let hash = bytes.withUnsafeBytes { bytes in
            [UInt8](unsafeUninitializedCapacity: Int(BB_DIGEST_CAPACITY)) { output, count in
                // The C function writes at most BB_DIGEST_CAPACITY bytes.
                count = Int(
                    bb_digest_bytes(code, bytes.baseAddress, bytes.count, output.baseAddress))
            }
        }
        guard !hash.isEmpty else { throw Unavailable(digest: self) }
        return hash
    }

    private var code: bb_digest {
        switch self {
        case .md5: BB_MD5
        case .sha256: BB_SHA256
        case .sha512_256: BB_SHA512_256
        }
    }
}
