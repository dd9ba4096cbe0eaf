import Foundation

/// The server of `server.py`, in a process of its own, whose memory does not count as ours.
final class StreamingServer: Sendable {
    let url: URL
    private let input = Pipe()

    init() throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "server.py")
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", script.path]
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            guard let byte = try output.fileHandleForReading.read(upToCount: 1) else { break }
            line += byte
        }
        let port = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .newlines)
        guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw URLError(.badURL) }
        self.url = url
    }

    deinit {
        // It ends with its input. It has inherited a mask that blocks signals.
        try? input.fileHandleForWriting.close()
    }
}
