import BluebonnetTourServer
import Glibc

/// A tour of the library against a server of its own.
@main
enum TourCommand {
    static func main() {
        // A write to a closed pipe then fails, and the program can clean up.
        signal(SIGPIPE, SIG_IGN)
        guard CommandLine.argc == 1 else {
            Terminal.standardError.print(
                "tour: the only option is --serve [PORT]; scripts/tour --help tells more")
            exit(ExitStatus.usage)
        }
        ProgramRun.perform { await TourProgram.run(output: $0) }
    }
}
