import Foundation

/// Starts client processes, whose programs lie beside the driver's own.
struct ClientLauncher {
    private let driver: URL
    private let rivalInC: URL

    init(clients: [Client]) throws {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        driver = URL(fileURLWithPath: own)
        rivalInC = driver.deletingLastPathComponent().appendingPathComponent("benchmark-c")
        if clients.contains(.c), !FileManager.default.isExecutableFile(atPath: rivalInC.path) {
            throw BenchmarkFailure(
                "\(rivalInC.path) is missing: swift build -c release --product benchmark-c"
            )
        }
    }

    /// Runs one client on one case, and checks that it did all of it.
    func run(
        _ client: Client, _ benchmarkCase: BenchmarkCase, count: Int, server: NginxServer,
        in workspace: Workspace
    ) throws -> ClientRun {
        let arguments = [
            benchmarkCase.name, server.url(of: benchmarkCase.file, for: benchmarkCase.work),
            String(count), String(benchmarkCase.concurrency),
        ]
        let file = server.path(of: benchmarkCase.file, for: benchmarkCase.work)
        let run = try run(client, client == .c ? arguments : arguments + [file], in: workspace)
        let size = server.size(of: benchmarkCase.file) ?? 0
        guard run.requests == count, run.bytes == count * size else {
            throw BenchmarkFailure(
                "\(client.rawValue) did \(run.requests) requests of \(count) and received "
                    + "\(run.bytes) bytes of \(count * size)"
            )
        }
        return run
    }

    /// Runs one client with those arguments: case, URL, count, concurrency, and, if any, a file.
    func run(
        _ client: Client, _ arguments: [String], in workspace: Workspace
    ) throws -> ClientRun {
        let process =
            switch client {
            case .c:
                Subprocess(executable: rivalInC, arguments: arguments)
            case .bluebonnet, .urlSession, .curl:
                Subprocess(
                    executable: driver, arguments: ["client", client.rawValue] + arguments
                )
            }
        let output = try process.run(in: workspace)
        do {
            return try JSONDecoder().decode(ClientRun.self, from: Data(output.utf8))
        } catch {
            throw BenchmarkFailure("\(client.rawValue) printed no result: \(output)")
        }
    }
}
