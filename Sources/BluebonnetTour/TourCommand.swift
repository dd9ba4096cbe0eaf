import Bluebonnet
import BluebonnetFixtureServer
import Glibc

/// The README's first command: a tour of the library against a server of its own, or, given URLs,
/// a fetch of those.
@main
enum TourCommand {
    static func main() async {
        // After `| head -1` has gone, the exit status still tells how it went.
        signal(SIGPIPE, SIG_IGN)
        switch TourInvocation(CommandLine.arguments.dropFirst()) {
        case .tour: await run { try await tour() }
        case .fetch(let arguments): await run { await fetch(arguments) }
        case .help: Terminal.standardOutput.print(TourInvocation.usage)
        case .unknownOption(let option):
            Terminal.standardError.print(
                "bluebonnet-tour: unknown option \(option)\n\(TourInvocation.usage)")
            exit(2)
        }
    }

    private static func run(_ work: @Sendable () async throws -> Bool) async {
        do {
            exit(try await work() ? 0 : 1)
        } catch {
            Terminal.standardOutput.print("the tour could not start: \(error)")
            exit(1)
        }
    }

    private static func tour() async throws -> Bool {
        let server = try FixtureServer(routes: TourRoutes.all)
        defer { server.stop() }
        guard let url = URL(string: server.baseURL) else { return false }
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("bluebonnet-tour-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let output = Terminal.standardOutput
        output.print("a server of the tour's own listens at \(server.baseURL)\n")
        var tour = Tour(
            manager: TourManager(baseURL: url), directory: directory, output: output)
        await tour.run()
        output.print(
            tour.failures == 0 ? "\nall steps held" : "\n\(tour.failures) steps did not hold")
        return tour.failures == 0
    }

    private static func fetch(_ arguments: [String]) async -> Bool {
        let manager = SessionManager()
        var allHeld = true
        for (index, argument) in arguments.enumerated() {
            let target = FetchTarget(argument, position: index + 1)
            allHeld = await Fetch(manager: manager, target: target).run() && allHeld
        }
        return allHeld
    }
}
