import BluebonnetTransport
import Foundation
import Testing

@Suite("Hash functions", .timeLimit(.minutes(5)))
struct MessageDigestTests {
    static func text(_ digest: MessageDigest, _ bytes: Data) throws -> String {
        try digest.hash(of: bytes).map { String(format: "%02x", $0) }.joined()
    }

    @Test(
        "the published hashes of the empty message and of abc match (RFC 1321, FIPS 180-4)",
        arguments: [
            (
                MessageDigest.md5, "d41d8cd98f00b204e9800998ecf8427e",
                "900150983cd24fb0d6963f7d28e17f72"
            ),
            (
                .sha256, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
            ),
            (
                .sha512_256, "c672b8d1ef56ed28ab87c3622c5114069bdd3ad7b8f9737498d0c01ecef0967a",
                "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"
            ),
        ]
    )
    func published(digest: MessageDigest, empty: String, abc: String) throws {
        #expect(try Self.text(digest, Data()) == empty)
        #expect(try Self.text(digest, Data("abc".utf8)) == abc)
        #expect(try digest.hash(of: [UInt8]("abc".utf8)) == digest.hash(of: Data("abc".utf8)))
    }
}
