import Bluebonnet
import BluebonnetFixtureServer
import Glibc

/// The tour's server alone, to try programs against.
enum TourServer {
    /// Serves until the Swift task is cancelled; returns the exit status.
    static func serve(at port: UInt16, output: Terminal) async -> Int32 {
        let server: FixtureServer
        do throws(FixtureServerError) {
            server = try FixtureServer(routes: TourRoutes.all, port: port)
        } catch {
            let reason = error.code == EADDRINUSE ? "it is in use" : "\(error)"
            Terminal.standardError.print(
                "tour: the server could not start at port \(port): \(reason); try --serve 0")
            return ExitStatus.failure
        }
        defer { server.stop() }
        output.print("the tour's server listens at \(server.baseURL)/ until Ctrl-C\n")
        output.print("try, in another terminal:\n")
        output.print("  url=\(server.baseURL)")
        for (command, comment) in examples {
            let text = command.padding(toLength: 62, withPad: " ", startingAt: 0)
            output.print("  \(text)\(output.styled("  # \(comment)", .dim))")
        }
        let (stopped, feed) = AsyncStream.makeStream(of: Void.self)
        await withTaskCancellationHandler {
            for await _ in stopped {}
        } onCancel: {
            feed.finish()
        }
        return ExitStatus.success
    }

    /// Commands to try.
    static var examples: [(command: String, comment: String)] {
        [
            (#"curl "$url/flowers?petals=5""#, "JSON"),
            ("scripts/tour $url/big.bin", "8 MiB"),
        ]
    }
}
