import Bluebonnet
import BluebonnetFixtureServer
import Glibc

/// The README's first command: a tour of the library against a server of its own, or, given URLs,
/// a fetch of those.
@main
enum TourCommand {
    static func main() {
        // After `| head -1` has gone, the exit status still tells how it went.
        signal(SIGPIPE, SIG_IGN)
        switch TourInvocation(CommandLine.arguments.dropFirst()) {
        case .tour: run { try await tour() }
        case .fetch(let arguments): run { await fetch(arguments) }
        case .help: Terminal.standardOutput.print(TourInvocation.usage)
        case .unknownOption(let option):
            Terminal.standardError.print(
                "bluebonnet-tour: unknown option \(option)\n\(TourInvocation.usage)")
            exit(2)
        }
    }

    /// Runs the work on other threads, while this one waits for a signal that ends it early.
    ///
    /// The first signal cancels the work, so that it cleans up. The second exits without waiting.
    private static func run(_ work: @escaping @Sendable () async throws -> Bool) -> Never {
        let signals = StopSignals()
        let received = Locked<Int32?>(nil)
        let task = Task.detached {
            let status = await exitStatus(of: work)
            guard let signal = received.withLock({ $0 }) else { exit(status) }
            // Over the `^C` that the terminal shows where the cursor is.
            let start = Terminal.standardError.isInteractive ? "\r" : ""
            Terminal.standardError.print("\(start)interrupted")
            exit(128 + signal)
        }
        let first = signals.next()
        received.withLock { $0 = first }
        task.cancel()
        _exit(128 + signals.next())
    }

    private static func exitStatus(of work: @Sendable () async throws -> Bool) async -> Int32 {
        do {
            return try await work() ? 0 : 1
        } catch {
            Terminal.standardOutput.print("the tour could not start: \(error)")
            return 1
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
        guard !Task.isCancelled else { return false }
        output.print(
            tour.failures == 0 ? "\nall steps held" : "\n\(tour.failures) steps did not hold")
        return tour.failures == 0
    }

    private static func fetch(_ arguments: [String]) async -> Bool {
        let manager = SessionManager()
        var allHeld = true
        for (index, argument) in arguments.enumerated() where !Task.isCancelled {
            let target = FetchTarget(argument, position: index + 1)
            allHeld = await Fetch(manager: manager, target: target).run() && allHeld
        }
        return allHeld
    }
}
