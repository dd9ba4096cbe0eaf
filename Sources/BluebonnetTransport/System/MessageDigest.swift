import CBluebonnet
package import Foundation

/// A hash function of OpenSSL's, as HTTP authentication names them.
package enum MessageDigest: Sendable, CaseIterable {
    case md5
    case sha256
    /// SHA-512/256, which is not SHA-512 cut short (FIPS 180-4 section 5.3.6).
    case sha512_256

    /// The function is not in this OpenSSL, as MD5 is not where only FIPS functions are.
    package struct Unavailable: Error, Sendable, Hashable {
        package let digest: MessageDigest
    }

    /// Returns the hash of the bytes.
    package func hash(of bytes: some ContiguousBytes) throws(Unavailable) -> [UInt8] {
        let hash = bytes.withUnsafeBytes { bytes in
            [UInt8](unsafeUninitializedCapacity: Int(BB_DIGEST_CAPACITY)) { output, count in
                // The buffer has the capacity that the C function writes at most.
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
