import BluebonnetTestSupport
import CBluebonnet
import Foundation
import Testing

@testable import BluebonnetTransport

@Suite("Files of authorities")
struct AuthorityFilesTests {
    private func file(_ text: String, at path: String? = nil) throws -> String {
        let path = path ?? NSTemporaryDirectory() + "bluebonnet-authorities-\(UUID()).pem"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        return path
    }

    private func source(_ path: String?) -> AuthorityFiles.Source {
        AuthorityFiles.Source(Exchange.Pool(certificateAuthorityFile: path))
    }

    @Test("the system's authorities are read once, whoever has them in use (F6)")
    func system() throws {
        let files = AuthorityFiles()
        let first = ObjectIdentifier(try files.authorities(of: source(nil)))
        #expect(ObjectIdentifier(try files.authorities(of: source(nil))) == first)
    }

    @Test("a file is read anew when it has changed, and kept while it cannot be read")
    func change() async throws {
        let directory = try ServerDirectory()
        let own = try await TestCertificates.make(in: directory)
        let text = try String(contentsOfFile: own.authority, encoding: .utf8)
        let path = try file(text)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let files = AuthorityFiles()
        let first = try files.authorities(of: source(path))
        #expect(try files.authorities(of: source(path)) === first)
        _ = try file("no certificate", at: path)
        #expect(try files.authorities(of: source(path)) === first)
        _ = try file(text + "\n", at: path)
        let second = try files.authorities(of: source(path))
        #expect(second !== first)
        try FileManager.default.removeItem(atPath: path)
        #expect(try files.authorities(of: source(path)) === second)
    }

    @Test("what nobody has in use is not kept, and a file that cannot be read is named")
    func release() async throws {
        let files = AuthorityFiles()
        weak var authorities: Authorities?
        let directory = try ServerDirectory()
        let own = try await TestCertificates.make(in: directory)
        authorities = try files.authorities(of: source(own.authority))
        #expect(authorities == nil)
        let error = try #require(throws: Exchange.Failure.self) {
            try files.authorities(of: source("/nowhere/authorities.pem"))
        }
        #expect(error.message.contains("/nowhere/authorities.pem"))
    }
}
