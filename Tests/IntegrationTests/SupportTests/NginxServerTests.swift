import BluebonnetTestSupport
import Foundation
import Testing

extension SupportTests {
    @Suite("nginx", .timeLimit(.minutes(5)))
    struct NginxServerTests {
        private static var letters: Data { Data("abcdefghijklmnopqrstuvwxyz".utf8) }
        private static var large: Data {
            Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 100) })
        }

        let server: NginxServer
        /// A directory for the client's own files.
        let directory: ServerDirectory

        init() async throws {
            server = try await NginxServer(
                files: ["letters.txt": Self.letters, "large.txt": Self.large])
            directory = try ServerDirectory()
        }

        @Test("a range of a file is served, and gzip if the location allows it")
        func filesAndCoding() async throws {
            let range = try await CurlCommand.run(
                "-r", "2-5", "-w", " %{http_code}", server.url("files/letters.txt"))
            #expect(range.text == "cdef 206")
            let report = "%{http_code} %header{content-encoding} %{size_download}"
            func transfer(_ path: String) async throws -> [String] {
                let curl = try await CurlCommand.run(
                    "-H", "Accept-Encoding: gzip", "-o", "/dev/null", "-w", report,
                    server.url(path))
                return curl.text.split(separator: " ", omittingEmptySubsequences: false)
                    .map(String.init)
            }
            #expect(try await transfer("files/large.txt") == ["200", "", "200000"])
            let coded = try await transfer("gzip/large.txt")
            #expect(coded.prefix(2) == ["200", "gzip"])
            #expect(try #require(coded.last.flatMap { Int($0) }) < 20_000)
        }

        @Test("TLS needs the server's authority, and HTTP/2 is negotiated")
        func secure() async throws {
            let url = server.tlsURL("files/letters.txt")
            let trusted = try await CurlCommand.run(
                "--cacert", server.authorityFile, "-w", " %{http_version}", url)
            #expect(trusted.text == "abcdefghijklmnopqrstuvwxyz 2")
            let older = try await CurlCommand.run(
                "--cacert", server.authorityFile, "--http1.1", "-o", "/dev/null",
                "-w", "%{http_version}", url)
            #expect(older.text == "1.1")
            let untrusted = try await CurlCommand.run(url)
            #expect(untrusted.status == 60)
            let lines = try await server.requests(awaiting: 2)
            #expect(
                lines == [
                    "GET /files/letters.txt 200 HTTP/2.0", "GET /files/letters.txt 200 HTTP/1.1",
                ])
        }

        @Test("an upload of 1 MB is stored byte by byte, and a body over the limit is refused")
        func uploads() async throws {
            var random = SystemRandomNumberGenerator()
            let bytes = (0..<131_072).flatMap { _ in
                withUnsafeBytes(of: random.next()) { Array($0) }
            }
            try directory.write(Data(bytes), to: "body")
            let body = directory.path(of: "body")
            let stored = try await CurlCommand.run(
                "-T", body, "-w", "%{http_code}", "-o", "/dev/null", server.url("uploads/a/b.bin"))
            #expect(stored.text == "201")
            #expect(
                try await server.uploadChecksum("a/b.bin") == FileChecksum.sha256(of: body))
            let refused = try await CurlCommand.run(
                "-H", "Expect:", "-T", body, "-w", "%{http_code} %header{connection}",
                "-o", "/dev/null", server.url("limited/b.bin"))
            #expect(refused.text == "413 close")
            #expect(!FileManager.default.fileExists(atPath: server.uploadedFile("b.bin").path))
        }

        @Test("a password is required, and redirects lead to the rest of the path")
        func refusals() async throws {
            let url = server.url("private/letters.txt")
            let report = "%{http_code} %header{www-authenticate}"
            let refused = try await CurlCommand.run("-o", "/dev/null", "-w", report, url)
            #expect(refused.text == #"401 Basic realm="Bluebonnet""#)
            let user = "\(server.credentials.user):\(server.credentials.password)"
            let accepted = try await CurlCommand.run("-u", user, url)
            #expect(accepted.output == Self.letters)
            for status in [301, 302, 303, 307, 308] {
                let redirect = try await CurlCommand.run(
                    "-o", "/dev/null", "-w", "%{http_code} %{redirect_url}",
                    server.url("redirect/\(status)/files/letters.txt?q=1"))
                #expect(redirect.text == "\(status) \(server.url("files/letters.txt?q=1"))")
            }
        }

        @Test("the slow location keeps its rate")
        func slow() async throws {
            let curl = try await CurlCommand.run(
                "-r", "0-99999", "-o", "/dev/null", "-w", "%{time_total}",
                server.url("slow/large.txt"))
            // 100,000 bytes at 65,536 per second, of which nginx sends those of the first second at
            // once.
            #expect(try #require(Double(curl.text)) > 0.4)
        }
    }
}
