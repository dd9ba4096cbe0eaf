import Foundation

@main
struct BenchmarkCommand {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            switch arguments.first {
            case "run":
                exit(try RunCommand(options: RunOptions(arguments.dropFirst())).run())
            case "compare":
                exit(try CompareCommand(arguments.dropFirst()).run())
            case "scaling":
                try ScalingCommand(options: ScalingOptions(arguments.dropFirst())).run()
            case "budget":
                exit(try BudgetCommand(arguments.dropFirst()).run())
            case "json":
                try JSONCommand(arguments.dropFirst()).run()
            case "work":
                try WorkCommand(arguments.dropFirst()).run()
            case "locks":
                try LocksCommand(arguments.dropFirst()).run()
            case "tls":
                exit(try TLSCommand(arguments.dropFirst()).run())
            case "events":
                try await EventsCommand(arguments.dropFirst()).run()
            case "client":
                try ClientCommand(arguments.dropFirst()).run()
            default:
                throw UsageError(message: "expected a subcommand, such as run")
            }
        } catch let error as UsageError {
            report("\(error.message); scripts/benchmark --help tells more")
            exit(64)
        } catch {
            report("\(error)")
            exit(1)
        }
    }

    /// Standard output carries only results, so everything else goes to standard error.
    static func report(_ message: String) {
        FileHandle.standardError.write(Data("benchmark: \(message)\n".utf8))
    }
}

struct UsageError: Error {
    let message: String
}

/// A failure with a message for the user.
struct BenchmarkFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
