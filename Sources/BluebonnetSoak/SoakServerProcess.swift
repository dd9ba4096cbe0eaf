import BluebonnetTestSupport
import Foundation
import Glibc

/// A server in its own process, so that this process holds only the library's resources.
final class SoakServerProcess {
    /// The URLs of the server in plain text and behind TLS.
    let baseURLs: [String]
    private let process: ChildProcess
    private let input = Pipe()

    /// Starts the server in the directory of its certificates.
    init(in directory: ServerDirectory) throws {
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
        var command = ChildCommand(program, ["serve", directory.path], in: directory)
        command.input = .descriptor(input.fileHandleForReading.fileDescriptor)
        command.output = "server-\(UUID().uuidString).log"
        command.environment = ProcessInfo.processInfo.environment
        command.stopSignal = .kill
        process = try ChildProcess(command)
        let ports = Self.ports(of: process, in: directory, command.output)
        guard ports.count == 2 else {
            throw SoakFailure(message: "the server did not start")
        }
        baseURLs = ["http://127.0.0.1:\(ports[0])", "https://127.0.0.1:\(ports[1])"]
    }

    /// Waits for the line with the ports, and returns none if the server ends or ten seconds pass.
    private static func ports(
        of process: ChildProcess, in directory: ServerDirectory, _ log: String
    ) -> [Int] {
        let end = MonotonicClock.seconds + 10
        while MonotonicClock.seconds < end, process.exitStatus == nil {
            let text = directory.text(of: log)
            if text.hasSuffix("\n") {
                return text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
            }
            usleep(2_000)
        }
        return []
    }

    func send(_ command: String) {
        try? input.fileHandleForWriting.write(contentsOf: Data("\(command)\n".utf8))
    }

    /// Ends the server as a crash would, whatever it is doing.
    func kill() {
        process.stop()
        try? input.fileHandleForWriting.close()
    }
}

struct SoakFailure: Error, CustomStringConvertible {
    let message: String
    var description: String { message }
}
