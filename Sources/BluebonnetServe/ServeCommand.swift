import BluebonnetFixtureServer
import BluebonnetTourServer
import Foundation
import Glibc

/// Serves the tour's server alone, to try programs against: without the library, to start soon.
@main
enum ServeCommand {
    private static let usualPort: UInt16 = 8080

    static func main() {
        // A write to a closed pipe then fails, with an exit status of its own.
        signal(SIGPIPE, SIG_IGN)
        let signals = StopSignals()
        guard let port = port(of: Array(CommandLine.arguments.dropFirst())) else {
            Terminal.standardError.print(
                "tour: --serve takes a port from 0 to 65535 and nothing else;"
                    + " scripts/tour --help tells more")
            exit(ExitStatus.usage)
        }
        let server = start(at: port)
        describe(server, to: .standardOutput { exit(ExitStatus.unread) })
        let number = signals.next()
        server.stop()
        Terminal.standardError.printInterruption()
        exit(128 + number)
    }

    /// The port that the arguments name; 0 is any free port.
    static func port(of arguments: [String]) -> UInt16? {
        guard let text = arguments.first else { return usualPort }
        return arguments.count == 1 ? UInt16(text) : nil
    }

    private static func start(at port: UInt16) -> FixtureServer {
        do throws(FixtureServerError) {
            return try FixtureServer(routes: TourRoutes.all, port: port)
        } catch {
            let reason = error.code == EADDRINUSE ? "it is in use" : "\(error)"
            Terminal.standardError.print(
                "tour: the server could not start at port \(port): \(reason); try --serve 0")
            exit(ExitStatus.failure)
        }
    }

    private static func describe(_ server: FixtureServer, to output: Terminal) {
        output.print("the tour's server listens at \(server.baseURL)/ until Ctrl-C\n")
        output.print("try, in another terminal:\n")
        output.print("  url=\(server.baseURL)")
        for (command, comment) in TourRoutes.examples {
            let text = command.padding(toLength: 62, withPad: " ", startingAt: 0)
            output.print("  \(text)\(output.styled("  # \(comment)", .dim))")
        }
    }
}
