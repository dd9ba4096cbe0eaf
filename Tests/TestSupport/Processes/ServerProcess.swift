import Foundation
import Glibc

/// A server that runs as a child process and has accepted its first connection.
package final class ServerProcess: Sendable {
    package let directory: ServerDirectory
    private let child: ChildProcess

    /// Starts a server and waits until it listens on its ports.
    ///
    /// - Parameters:
    ///   - program: The path of the program.
    ///   - arguments: The arguments, which must keep the program in the foreground.
    ///   - directory: The working directory, which receives the log.
    ///   - ports: All ports that the server listens on.
    ///   - stopSignal: The signal that ends the server and its children at once.
    /// - Returns: The server, which runs as long as the object lives.
    /// - Throws: ``ServerFailure`` with the log if the server ends or does not listen within 20 s.
    package static func start(
        _ program: String, _ arguments: [String], in directory: ServerDirectory,
        ports: [ReservedPort], stopSignal: StopSignal = .terminate
    ) async throws -> ServerProcess {
        let child = try await ChildProcess.start(
            program, arguments, in: directory, output: "log", stopSignal: stopSignal)
        let server = ServerProcess(directory: directory, child: child)
        let clock = ContinuousClock()
        let end = clock.now + .seconds(20)
        while !ports.allSatisfy(\.accepts) {
            if let status = child.exitStatus {
                throw ServerFailure("\(program) ended with status \(status):\n\(server.log)")
            }
            guard clock.now < end else {
                throw ServerFailure("\(program) did not listen within 20 s:\n\(server.log)")
            }
            try await clock.sleep(for: .milliseconds(2))
        }
        return server
    }

    private init(directory: ServerDirectory, child: ChildProcess) {
        self.directory = directory
        self.child = child
    }

    /// The server's standard output and standard error so far.
    package var log: String {
        directory.text(of: "log")
    }

    package var isRunning: Bool {
        child.exitStatus == nil
    }

    package func stop() {
        child.stop()
    }
}
