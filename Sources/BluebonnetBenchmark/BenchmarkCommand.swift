import Foundation

@main
struct BenchmarkCommand {
    static let usage = """
        usage: bluebonnet-benchmark run [--json FILE] [--chart FILE] [--compare FILE]
                                        [--tolerance N] [--rounds N] [--cases a,b]
                                        [--clients a,b] [--quick] [--markdown]
               bluebonnet-benchmark compare OLD NEW [--tolerance N]
               bluebonnet-benchmark scaling [--axis requests|tasks|hosts|observers]
                                            [--chart FILE] [--rounds N] [--quick] [--markdown]
               bluebonnet-benchmark budget [--rounds N]
               bluebonnet-benchmark json [--rounds N] [--chart FILE] [--markdown]
               bluebonnet-benchmark work WORK DOCUMENT COUNT
               bluebonnet-benchmark locks CALL COUNT
               bluebonnet-benchmark tls [--rounds N]
               bluebonnet-benchmark client NAME CASE URL COUNT CONCURRENCY [FILE]

           --json FILE     also write the medians to FILE
           --chart FILE    also draw the medians as an SVG chart in FILE
           --compare FILE  compare the ratios to C, or to curl, with those of an earlier --json FILE
           --tolerance N   the allowed worsening of a ratio in percent (default \(Comparison.defaultTolerance))
           --rounds N      the number of runs of each client in each case (default 5)
           --cases a,b     any of \(BenchmarkCase.all.map(\.name).joined(separator: ", "))
                           (cases with 2g in their names run only if named)
           --clients a,b   any of \(Client.allCases.map(\.rawValue).joined(separator: ", "))
           --quick         one round with a tenth of the requests
           --markdown      print the tables in Markdown

        scaling measures the cost of a request as completed requests, tasks in flight, known hosts
        or observers increase; budget counts instructions and allocations under valgrind, and locks

        exit status: 0 success, 1 a client or the server failed, 3 the run is void, 4 a result is
        worse than in the earlier run or exceeds the budget, 64 wrong usage;
        tls also exits with 1 if a handshake was not resumed as expected, or costs too much
        """

    static func main() {
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
            case "client":
                try ClientCommand(arguments.dropFirst()).run()
            case "--help", "-h", "help":
                print(usage)
            default:
                throw UsageError(message: "expected a subcommand, such as run")
            }
        } catch let error as UsageError {
            report("\(error.message)\n\(usage)")
            exit(64)
        } catch {
            report("\(error)")
            exit(1)
        }
    }

    /// Standard output carries only results, so everything else goes to standard error.
    static func report(_ message: String) {
        FileHandle.standardError.write(Data("bluebonnet-benchmark: \(message)\n".utf8))
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
