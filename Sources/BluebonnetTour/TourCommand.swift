import Bluebonnet
import Glibc

/// A tour of the library against a server of its own, or, given URLs, a fetch of those, or the server
/// alone.
@main
enum TourCommand {
    static func main() {
        // A write to a closed pipe then fails, and the program can clean up.
        signal(SIGPIPE, SIG_IGN)
        switch TourInvocation(CommandLine.arguments.dropFirst()) {
        case .tour: ProgramRun.perform { await TourProgram.run(output: $0) }
        case .fetch(let arguments): ProgramRun.perform { await fetch(arguments, output: $0) }
        case .serve(let port): ProgramRun.perform { await TourServer.serve(at: port, output: $0) }
        case .help: Terminal.standardOutput().print(TourInvocation.usage)
        case .unknownOption(let option): refuse("unknown option \(option)")
        case .invalidServe: refuse("--serve takes a port and nothing else")
        }
    }

    private static func refuse(_ reason: String) -> Never {
        Terminal.standardError.print("bluebonnet-tour: \(reason)\n\(TourInvocation.usage)")
        exit(ExitStatus.usage)
    }

    private static func fetch(_ arguments: [String], output: Terminal) async -> Int32 {
        let manager = SessionManager()
        var status = ExitStatus.success
        for (index, argument) in arguments.enumerated() where !Task.isCancelled {
            let target = FetchTarget(argument, position: index + 1)
            let fetch = Fetch(manager: manager, target: target, output: output)
            if await !fetch.run() { status = ExitStatus.failure }
        }
        return status
    }
}
