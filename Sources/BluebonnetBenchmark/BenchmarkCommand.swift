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
               bluebonnet-benchmark tls [--rounds N]
               bluebonnet-benchmark client NAME CASE URL COUNT CONCURRENCY [FILE]

          --json FILE     also write the medians to FILE
          --chart FILE    also draw them into FILE, an SVG
          --compare FILE  hold the ratios to C, or to curl, against those of an earlier --json
          --tolerance N   by how many percent they may be worse (default \(Comparison.defaultTolerance))
          --rounds N      how often each client runs each case (default 5)
          --cases a,b     of \(BenchmarkCase.all.map(\.name).joined(separator: ", "))
                          (those with 2g in their names only run when named)
          --clients a,b   of \(Client.allCases.map(\.rawValue).joined(separator: ", "))
          --quick         one round of a tenth of the requests
          --markdown      print the tables in Markdown

        scaling shows what a request costs when more and more has been done, is in flight or is
        known; budget counts its instructions and allocations under valgrind

        exit status: 0 done, 1 a client or the server failed, 3 the run is void, 4 something is
        worse than the earlier run or than the budget allows, 64 usage;
        tls also gives 1 when a handshake is not resumed that should be, or costs too much
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

/// What went wrong, in words that are ready to be shown.
struct BenchmarkFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
