import Bluebonnet
import BluebonnetFixtureServer
import Glibc

/// The tour's server alone, to try programs against.
enum TourServer {
    /// Serves until the Swift task is canceled; returns the exit status.
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
    static let examples = [
        (command: #"curl "$url/flowers?petals=5""#, comment: "JSON"),
        (#"curl --json '{"name":"flax","petals":5}' $url/flowers"#, "adds one"),
        ("curl -d name=flax $url/echo", "your request"),
        ("curl -i $url/status/404", "any status"),
        ("curl -L $url/redirect/3", "3 redirects"),
        ("curl --retry 2 $url/busy", "503 at first"),
        ("curl -m 1 $url/hang", "no response"),
        ("curl -u \(TourRoutes.user):\(TourRoutes.password) $url/secret", "a login"),
        ("curl -o big.bin $url/big.bin", "8 MiB"),
    ]
}
