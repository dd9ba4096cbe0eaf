import BluebonnetTestSupport
import Foundation

@main
struct SoakCommand {
    static let usage = """
        usage: bluebonnet-soak [--minutes N] [--seed N] [--tasks N]
               bluebonnet-soak serve DIRECTORY

          --minutes N   duration of the run (default 60)
          --seed N      seed for the order of tasks, faults and cancellations (default random)
          --tasks N     number of concurrent tasks with the faulty server (default 48)

        Runs tasks of every kind with a server that fails in every way, and healthy tasks with
        another server. Checks that each task ends once and in time, and that no files, threads or
        memory are left behind. Prints a line every 30 s, and a verdict at the end.

        exit status: 0 all checks passed, 1 a check failed, 64 wrong usage
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
