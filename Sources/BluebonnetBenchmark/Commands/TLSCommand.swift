import Foundation

/// `scripts/benchmark tls`: measures the TLS handshakes of clients that trust the system's
/// authorities.
///
/// The clients have read the authorities before the measurement.
struct TLSCommand {
    private static let clients = [Client.bluebonnet, .c]

    private let rounds: Int

    init(_ arguments: some Sequence<String>) throws {
        rounds = try OptionReader.rounds(in: arguments) ?? 5
    }

    /// Returns the exit status.
    func run() throws -> Int32 {
        let launcher = try ClientLauncher(clients: Self.clients)
        let workspace = try Workspace()
        StopSignals.handle { workspace.closeAndExit(status: $0) }
        defer { workspace.close() }
        let server = try HandshakeServer.start(in: workspace)
        var runs: [TLSCase: [Client: [ClientRun]]] = [:]
        var faults: [String] = []
        for each in TLSCase.allCases {
            for round in 0..<rounds {
                BenchmarkCommand.report("\(each.rawValue), round \(round + 1) of \(rounds)")
                for index in Self.clients.indices {
                    let client = Self.clients[(index + round) % Self.clients.count]
                    let before = server.handshakes(each)
                    let run = try launcher.run(client, each, server, in: workspace)
                    runs[each, default: [:]][client, default: []].append(run)
                    faults += fault(client, each, before, server.handshakes(each))
                }
            }
        }
        let report = TLSReport(runs: runs, clients: Self.clients)
        print(Machine.current().summary)
        print(report.text)
        faults += report.faults
        for fault in Set(faults).sorted() { print("FAILED: \(fault)") }
        return faults.isEmpty ? 0 : 1
    }

    /// Returns a fault if the server saw an unexpected number of resumed or full handshakes.
    ///
    /// The client's first request is not counted, because it has no session to resume.
    private func fault(
        _ client: Client, _ each: TLSCase, _ before: (resumed: Int, full: Int),
        _ after: (resumed: Int, full: Int)
    ) -> [String] {
        guard let resumes = each.resumes else { return [] }
        let resumed = after.resumed - before.resumed
        let full = after.full - before.full
        let isRight = resumes ? resumed >= each.count - 1 : resumed == 0 && full >= each.count
        guard !isRight else { return [] }
        return [
            "\(client.rawValue), \(each.rawValue): \(resumed) handshakes were resumed, \(full) were not"
        ]
    }
}

extension ClientLauncher {
    /// Runs one client on one TLS case, and checks that it completed all requests.
    func run(
        _ client: Client, _ each: TLSCase, _ server: HandshakeServer, in workspace: Workspace
    ) throws -> ClientRun {
        let arguments = [
            "tls", server.url(each), String(each.count), String(each.concurrency),
            server.authorities.path,
        ]
        let run = try run(client, arguments, in: workspace)
        guard run.requests == each.count else {
            throw BenchmarkFailure(
                "\(client.rawValue) did \(run.requests) requests of \(each.count)"
            )
        }
        return run
    }
}
