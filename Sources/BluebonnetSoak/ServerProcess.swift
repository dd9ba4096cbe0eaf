import Foundation
import Glibc

/// A server in a process of its own, so that what this one holds is the library's.
final class ServerProcess {
    /// In plain text, and behind TLS.
    let baseURLs: [String]
    private let process = Process()
    private let input = Pipe()

    init(_ identity: SoakIdentity) throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["serve", identity.directory.path]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        // The pipe's other end is the server's alone now, so that its end shows here.
        try? output.fileHandleForWriting.close()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        try? output.fileHandleForReading.close()
        let ports = line.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        guard ports.count == 2 else {
            process.terminate()
            throw SoakFailure(message: "the server did not start")
        }
        baseURLs = ["http://127.0.0.1:\(ports[0])", "https://127.0.0.1:\(ports[1])"]
    }

    func send(_ command: String) {
        try? input.fileHandleForWriting.write(contentsOf: Data("\(command)\n".utf8))
    }

    /// Ends it as a crash would, in the midst of whatever it does.
    func kill() {
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? input.fileHandleForWriting.close()
    }
}

struct SoakFailure: Error, CustomStringConvertible {
    let message: String
    var description: String { message }
}
