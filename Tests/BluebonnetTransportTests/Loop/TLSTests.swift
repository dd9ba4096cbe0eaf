import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@Suite("Trust in a server's certificate", .timeLimit(.minutes(1)))
struct TLSTests {
    /// `openssl s_server` on a free port, with a certificate for `localhost` of a CA of its own.
    private final class Server {
        let directory: URL
        private let command: SpawnedCommand
        let port: Int
        var authority: String { directory.appendingPathComponent("ca.pem").path }

        init() throws {
            directory = FileManager.default.temporaryDirectory
                .appendingPathComponent("bluebonnet-\(UUID().uuidString)")
            try FileManager.default.createDirectory(
                at: directory, withIntermediateDirectories: true)
            let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
            for arguments in [
                ["req", "-x509"] + key
                    + ["-subj", "/CN=Test CA", "-keyout", "ca.key", "-out", "ca.pem"],
                ["req", "-x509"] + key
                    + ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
                    + ["-CA", "ca.pem", "-CAkey", "ca.key", "-keyout", "s.key", "-out", "s.pem"],
            ] {
                try SpawnedCommand(["openssl"] + arguments, in: directory).wait()
            }
            let arguments = ["s_server", "-accept", "127.0.0.1:0", "-cert", "s.pem"]
            command = try SpawnedCommand(
                ["openssl"] + arguments + ["-key", "s.key", "-www"], in: directory)
            var text = ""
            while !text.contains("ACCEPT 127.0.0.1:") || !text.hasSuffix("\n") {
                let data = command.output.availableData
                guard !data.isEmpty else { break }
                text += String(decoding: data, as: UTF8.self)
            }
            let line = text.split(separator: "\n").last { $0.hasPrefix("ACCEPT") }
            port = line.flatMap { $0.split(separator: ":").last.flatMap { Int($0) } } ?? 0
        }

        deinit {
            command.kill()
            try? FileManager.default.removeItem(at: directory)
        }
    }

    @Test("a certificate counts with its authority and its host name, and not without")
    func verification() async throws {
        let server = try Server()
        let transport = CurlTransport()
        let trusting = Exchange.Pool(certificateAuthorityFile: server.authority)
        func perform(_ host: String, _ pool: Exchange.Pool) async -> ExchangeRecorder.Record {
            let url = "https://\(host):\(server.port)/"
            return await transport.perform(
                Exchange(method: "GET", url: url, pool: pool).with { $0.timeouts.whole = 5 })
        }
        let good = await perform("localhost", trusting)
        #expect(good.failure == nil)
        #expect(good.head?.statusCode == 200)
        #expect(good.ends.first?.metrics.tlsDuration ?? 0 > 0)
        let wrongHost = await perform("127.0.0.1", trusting)
        #expect(wrongHost.failure?.code == .serverCertificateUntrusted)
        let unknown = await perform("localhost", Exchange.Pool())
        #expect(unknown.failure?.code == .serverCertificateUntrusted)
        let missing = await perform("localhost", Exchange.Pool(certificateAuthorityFile: "/none"))
        #expect(missing.failure?.code == .secureConnectionFailed)
    }
}
