import Foundation

/// `openssl s_server` on a free port, with a certificate for `localhost` of a CA of its own.
final class TLSServer {
    let directory: URL
    private let command: SpawnedCommand
    let port: Int
    var authority: String { directory.appendingPathComponent("ca.pem").path }

    init(_ options: [String] = []) throws {
        directory = try TLSServer.makeCertificates()
        let arguments = ["s_server", "-accept", "127.0.0.1:0", "-cert", "s.pem"]
        command = try SpawnedCommand(
            ["openssl"] + arguments + ["-key", "s.key", "-www"] + options, in: directory)
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

    /// Makes a directory with an authority (`ca.pem`) and a server's certificate (`s.pem`, `s.key`).
    static func makeCertificates() throws -> URL {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("bluebonnet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
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
        return directory
    }
}
