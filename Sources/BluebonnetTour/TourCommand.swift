import Bluebonnet
import BluebonnetFixtureServer
import Glibc

/// A tour of the library against a server of its own, or, given URLs, a fetch of those, or the server
/// alone.
@main
enum TourCommand {
    static func main() {
        // After `| head -1` has gone, the exit status still tells how it went.
        signal(SIGPIPE, SIG_IGN)
        switch TourInvocation(CommandLine.arguments.dropFirst()) {
        case .tour: run { try await tour() }
        case .fetch(let arguments): run { await fetch(arguments) }
        case .serve(let port): run { await serve(at: port) }
        case .help: Terminal.standardOutput.print(TourInvocation.usage)
        case .unknownOption(let option): refuse("unknown option \(option)")
        case .invalidServe: refuse("--serve takes a port and nothing else")
        }
    }

    private static func refuse(_ reason: String) -> Never {
        Terminal.standardError.print("bluebonnet-tour: \(reason)\n\(TourInvocation.usage)")
        exit(2)
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

    /// Returns when the Swift task is cancelled, or at once if the server cannot start.
    private static func serve(at port: UInt16) async -> Bool {
        let server: FixtureServer
        do throws(FixtureServerError) {
            server = try FixtureServer(routes: TourRoutes.all, port: port)
        } catch {
            let reason = error.code == EADDRINUSE ? "it is in use" : "\(error)"
            Terminal.standardError.print(
                "the tour's server could not start at port \(port): \(reason); try --serve 0")
            return false
        }
        defer { server.stop() }
        Terminal.standardOutput.print("the tour's server listens at \(server.baseURL)/")
        let (stopped, feed) = AsyncStream.makeStream(of: Void.self)
        await withTaskCancellationHandler {
            for await _ in stopped {}
        } onCancel: {
            feed.finish()
        }
        return true
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
