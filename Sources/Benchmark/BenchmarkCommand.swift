import Foundation

@main
struct BenchmarkCommand {
    static let usage = """
        usage: benchmark run [--json FILE] [--rounds N] [--cases a,b] [--clients a,b]
                             [--quick] [--markdown]
               benchmark json [--rounds N]
               benchmark tls [--rounds N]
               benchmark client NAME CASE URL COUNT CONCURRENCY [FILE]

          --json FILE     also write the medians to FILE
          --rounds N      how often each client runs each case (default 5)
          --cases a,b     of \(BenchmarkCase.all.map(\.name).joined(separator: ", "))
                          (those with 2g in their names only run when named)
          --clients a,b   of \(Client.allCases.map(\.rawValue).joined(separator: ", "))
          --quick         one round of a tenth of the requests
          --markdown      print the tables in Markdown

        exit status: 0 done, 1 a client or the server failed, 3 the run is void, 64 usage;
        tls also gives 1 when a handshake is not resumed that should be, or costs too much
        """

    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            switch arguments.first {
            case "run":
                exit(try RunCommand(options: RunOptions(arguments.dropFirst())).run())
            case "json":
                try JSONCommand(arguments.dropFirst()).run()
            case "tls":
                exit(try TLSCommand(arguments.dropFirst()).run())
            case "client":
                try ClientCommand(arguments.dropFirst()).run()
            case "--help", "-h", "help":
                print(usage)
            default:
                throw UsageError(message: "expected the subcommand run, json, tls or client")
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
        FileHandle.standardError.write(Data("benchmark: \(message)\n".utf8))
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
