import Foundation

/// `benchmark run`: every client in turn, for several rounds, on every case.
struct RunCommand {
    let options: RunOptions

    /// Returns the exit status.
    func run() throws -> Int32 {
        let launcher = try ClientLauncher(clients: options.clients)
        let wrk = try options.cases.contains(where: \.isComparedWithWrk) ? Wrk() : nil
        try removeOldResults()
        let results = try measureAll(launcher, wrk)
        return try conclude(results)
    }

    private func measureAll(_ launcher: ClientLauncher, _ wrk: Wrk?) throws -> [CaseResult] {
        let workspace = try Workspace()
        StopSignals.handle { workspace.closeAndExit(status: $0) }
        defer { workspace.close() }
        let server = try NginxServer.start(in: workspace, serving: Set(options.cases.map(\.file)))
        var results: [CaseResult] = []
        for benchmarkCase in options.cases {
            let size = server.size(of: benchmarkCase.file) ?? 0
            var result = CaseResult(benchmarkCase, bodyBytes: size)
            for round in 0..<options.rounds {
                progress(benchmarkCase, round)
                // Each round starts with another client, so that none is always the first.
                for index in options.clients.indices {
                    let client = options.clients[(index + round) % options.clients.count]
                    measure(client, &result, launcher, server, workspace)
                }
                if benchmarkCase.isComparedWithWrk, let wrk {
                    let url = server.url(of: benchmarkCase.file)
                    let seconds = options.isQuick ? 1 : 2
                    result.wrkRates.append(try wrk.run(url: url, seconds: seconds, in: workspace))
                }
            }
            results.append(result)
        }
        return results
    }

    /// A client that failed once does not run this case again.
    private func measure(
        _ client: Client, _ result: inout CaseResult, _ launcher: ClientLauncher,
        _ server: NginxServer, _ workspace: Workspace
    ) {
        let benchmarkCase = result.benchmarkCase
        guard result.failures[client] == nil, client.takesPart(in: benchmarkCase.work) else {
            return
        }
        let count = benchmarkCase.count(for: client, isQuick: options.isQuick)
        do {
            let run = try launcher.run(
                client, benchmarkCase, count: count, server: server, in: workspace
            )
            result.runs[client, default: []].append(run)
        } catch {
            result.failures[client] = "\(error)"
        }
    }

    private func conclude(_ results: [CaseResult]) throws -> Int32 {
        let machine = Machine.current()
        print(Report(results: results, machine: machine, options: options).text)
        guard !results.contains(where: \.isVoid) else {
            return 3
        }
        if let path = options.jsonFile {
            try ResultsFile(results: results, clients: options.clients, machine: machine)
                .write(to: path)
        }
        return results.allSatisfy(\.failures.isEmpty) ? 0 : 1
    }

    /// A run that fails or is void writes no results, and must not seem to have left old ones.
    private func removeOldResults() throws {
        if let path = options.jsonFile, FileManager.default.fileExists(atPath: path) {
            try FileManager.default.removeItem(atPath: path)
        }
    }

    private func progress(_ benchmarkCase: BenchmarkCase, _ round: Int) {
        BenchmarkCommand.report("\(benchmarkCase.name), round \(round + 1) of \(options.rounds)")
    }
}
