import BluebonnetTestSupport
import CBluebonnet
import Foundation
import FoundationNetworking
import Glibc
import Testing

@testable import BluebonnetTransport

@Suite("Authority files")
struct AuthorityFilesTests {
    private func file(_ text: String, at path: String? = nil) throws -> String {
        let path = path ?? NSTemporaryDirectory() + "bluebonnet-authorities-\(UUID()).pem"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        return path
    }

    private func source(_ path: String?) -> AuthorityFiles.Source {
        AuthorityFiles.Source(Exchange.Pool(certificateAuthorityFile: path))
    }

    @Test("the system's authorities are read once while they are in use")
    func system() throws {
        let files = AuthorityFiles()
        let first = ObjectIdentifier(try files.authorities(of: source(nil)))
        #expect(ObjectIdentifier(try files.authorities(of: source(nil))) == first)
    }

    @Test("a file is read again when it has changed, and kept while it is unreadable")
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

    @Test("unused files are not kept, and an unreadable file is named")
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
        #expect(error.systemErrorNumber == ENOENT)
    }

    @Test(
        "missing, damaged or invalid revocation lists are named, and not the authorities")
    func revocationLists() async throws {
        let directory = try ServerDirectory()
        let own = try await TestCertificates.make(in: directory)
        let damaged = try file("-----BEGIN X509 CRL-----\nAAAA\n-----END X509 CRL-----\n")
        defer { try? FileManager.default.removeItem(atPath: damaged) }
        for path in ["/nowhere/lists.pem", own.authority, damaged] {
            var source = source(own.authority)
            source.revocationLists = path
            let error = try #require(throws: Exchange.Failure.self) { try Authorities(source) }
            #expect(error.message.contains("revocation lists") && error.message.contains(path))
            #expect(error.code == .secureConnectionFailed)
        }
    }

    @Test("authorities can come from a pipe")
    func pipe() async throws {
        let directory = try ServerDirectory()
        let own = try await TestCertificates.make(in: directory)
        let (pipe, data) = (Pipe(), try Data(contentsOf: URL(fileURLWithPath: own.authority)))
        try pipe.fileHandleForWriting.write(contentsOf: data)
        try pipe.fileHandleForWriting.close()
        let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
        #expect(throws: Never.self) { try Authorities(source(path)) }
    }

    /// Returns a source with revocation lists and without an authority file.
    private static func listsAlone(_ path: String) -> AuthorityFiles.Source {
        var source = AuthorityFiles.Source(Exchange.Pool())
        source.authorities = nil
        source.revocationLists = path
        return source
    }

    @Test("a process at its limit of open files reports that for either file")
    func openFiles() async throws {
        await #expect(processExitsWith: .success) {
            let path = NSTemporaryDirectory() + "bluebonnet-authorities-\(UUID()).pem"
            try Data("text".utf8).write(to: URL(fileURLWithPath: path))
            defer { unlink(path) }
            let (one, two) = (
                AuthorityFiles.Source(Exchange.Pool(certificateAuthorityFile: path)),
                Self.listsAlone(path)
            )
            var taken: [Int32] = []
            while case let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC), descriptor >= 0 {
                taken.append(descriptor)
            }
            let errors = [one, two].map { source in
                #expect(throws: Exchange.Failure.self) { try Authorities(source) }
            }
            taken.forEach { close($0) }
            for error in errors {
                #expect(
                    error?.systemErrorNumber == EMFILE && error?.code == .secureConnectionFailed)
                #expect(error?.message.contains("raise the process's limit of open files") == true)
                #expect(error?.message.contains("install") == false)
            }
        }
    }
}
