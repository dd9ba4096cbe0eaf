import BluebonnetTestSupport
import Foundation

/// Starts client processes, whose programs are in the same directory as the driver.
struct ClientLauncher {
    private let driver: URL

    init(clients: [Client]) throws {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        driver = URL(fileURLWithPath: own)
        if clients.contains(.c), !has("BluebonnetBenchmarkC") {
            throw BenchmarkFailure(
                "\(program("BluebonnetBenchmarkC").path) is missing: "
                    + "swift build -c release --product BluebonnetBenchmarkC"
            )
        }
    }

    /// Whether the Go client was built.
    var hasGo: Bool { has("BluebonnetBenchmarkGo") }

    /// Runs one client on one case, and checks that it completed all requests.
    func run(
        _ client: Client, _ benchmarkCase: BenchmarkCase, count: Int, server: FileServer,
        in workspace: Workspace
    ) throws -> ClientRun {
        let arguments = [
            benchmarkCase.name, server.url(of: benchmarkCase), String(count),
            String(benchmarkCase.concurrency),
        ]
        let run: ClientRun
        switch benchmarkCase.work {
        case .firstResponse:
            run = try runStarts(client, arguments, count: count, in: workspace)
        case .amongHeld:
            let slow = try SlowServer()
            defer { slow.stop() }
            run = try self.run(client, arguments + [slow.url], in: workspace)
        default:
            let file = server.path(for: benchmarkCase).map { [$0] } ?? []
            let environment = benchmarkCase.listener == .http2 ? NewerLibcurl.environment : [:]
            run = try self.run(client, arguments + file, in: workspace, environment: environment)
        }
        let size = server.size(of: benchmarkCase.file) ?? 0
        let isWhole = run.bytes == count * size || !client.keepsBytes(of: benchmarkCase)
        guard run.requests == count, isWhole else {
            throw BenchmarkFailure(
                "\(client.rawValue) did \(run.requests) requests of \(count) and received "
                    + "\(run.bytes) bytes of \(count * size)"
            )
        }
        return run
    }

    /// Runs one client with its arguments: case, URL, count, concurrency and an optional extra one.
    func run(
        _ client: Client, _ arguments: [String], in workspace: Workspace,
        environment: [String: String] = [:]
    ) throws -> ClientRun {
        var command =
            switch client {
            case .c, .go:
                SystemCommand(
                    program("BluebonnetBenchmark\(client.rawValue.capitalized)").path, arguments)
            default:
                SystemCommand(driver.path, ["client", client.rawValue] + arguments)
            }
        command.environment = environment
        let output = try workspace.run(command)
        do {
            return try JSONDecoder().decode(ClientRun.self, from: Data(output.utf8))
        } catch {
            throw BenchmarkFailure("\(client.rawValue) printed no result: \(output)")
        }
    }

    /// Runs one process for each request, and passes it the time of its start.
    private func runStarts(
        _ client: Client, _ arguments: [String], count: Int, in workspace: Workspace
    ) throws -> ClientRun {
        let runs = try (0..<count).map { _ in
            let start = String(MonotonicClock.nanoseconds)
            return try run(client, arguments + [start], in: workspace)
        }
        return .sum(runs)
    }

    func program(_ name: String) -> URL {
        driver.deletingLastPathComponent().appendingPathComponent(name)
    }

    private func has(_ name: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: program(name).path)
    }
}
