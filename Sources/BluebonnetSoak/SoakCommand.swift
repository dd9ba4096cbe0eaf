import BluebonnetTestSupport
import Foundation

@main
struct SoakCommand {
    static let usage = """
        usage: bluebonnet-soak [--minutes N] [--seed N] [--tasks N]
               bluebonnet-soak serve DIRECTORY

          --minutes N   how long to run (default 60)
          --seed N      which tasks, faults and cancels come in which order (default: another each
                        time)
          --tasks N     tasks with the faulty server at once (default 48)

        Runs tasks of every kind with a server that fails in every way, beside healthy ones with
        another, and checks all the while that each task ends once and in time, and that nothing is
        left behind. Prints a line each 30 s, and a verdict.

        exit status: 0 everything held, 1 something did not, 64 usage
        """

    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            switch arguments.first {
            case "serve" where arguments.count == 2:
                try SoakServer(certificates: TestCertificates(in: arguments[1])).run()
            case "--help", "-h", "help": print(usage)
            default: exit(try SoakRun(SoakOptions(arguments)).run() ? 0 : 1)
            }
        } catch let error as UsageError {
            report("\(error.message)\n\(usage)")
            exit(64)
        } catch {
            report("\(error)")
            exit(1)
        }
    }

    static func report(_ message: String) {
        FileHandle.standardError.write(Data("bluebonnet-soak: \(message)\n".utf8))
    }
}

struct UsageError: Error {
    let message: String
}
