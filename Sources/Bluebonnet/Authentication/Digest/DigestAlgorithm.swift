import BluebonnetTransport
import Foundation

/// A Digest algorithm: a hash function, with or without session keys (RFC 7616 section 6.1).
struct DigestAlgorithm: Sendable, Hashable {
    let digest: MessageDigest
    /// Whether the user's key is hashed again with the first nonces (`-sess`).
    let isSession: Bool

    init?(name: String) {
        let suffix = "-sess"
        var name = name.lowercased()
        isSession = name.hasSuffix(suffix)
        if isSession { name.removeLast(suffix.count) }
        guard let digest = MessageDigest.allCases.first(where: { $0.name.lowercased() == name })
        else { return nil }
        self.digest = digest
    }

    /// The rank of the algorithm, where lower is stronger.
    var rank: Int {
        switch digest {
        case .sha256: 0
        case .sha512_256: 1
        case .md5: 2
        }
    }

    /// Returns the hash in lowercase hexadecimal digits.
    func hash(_ text: String) throws(AuthenticationError.Reason) -> String {
        try hash(Array(text.utf8))
    }

    func hash(_ bytes: some ContiguousBytes) throws(AuthenticationError.Reason) -> String {
        do {
            return try digest.hash(of: bytes).hexadecimal
        } catch {
            throw .hashUnavailable(error.digest.name)
        }
    }
}

extension MessageDigest {
    fileprivate var name: String {
        switch self {
        case .md5: "MD5"
        case .sha256: "SHA-256"
        case .sha512_256: "SHA-512-256"
        }
    }
}

extension [UInt8] {
    /// The bytes as two lowercase digits each.
    var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
            as: UTF8.self
        )
    }
}
