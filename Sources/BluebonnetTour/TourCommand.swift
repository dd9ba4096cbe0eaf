import Bluebonnet
import Glibc

/// A tour of the library against a server of its own, or the server alone.
@main
enum TourCommand {
    static func main() {
        // A write to a closed pipe then fails, and the program can clean up.
        signal(SIGPIPE, SIG_IGN)
        do throws(UsageError) {
            switch try TourInvocation(CommandLine.arguments.dropFirst()) {
            case .tour:
                ProgramRun.perform { await TourProgram.run(output: $0) }
            case .serve(let port):
                ProgramRun.perform { await TourServer.serve(at: port, output: $0) }
            }
        } catch {
            Terminal.standardError.print("tour: \(error.text); scripts/tour --help tells more")
            exit(ExitStatus.usage)
        }
    }
}
