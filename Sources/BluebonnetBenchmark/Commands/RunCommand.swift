import Foundation

/// `scripts/benchmark`: runs every client in turn on every case, for several rounds.
struct RunCommand {
    let options: RunOptions

    /// Returns the exit status.
    func run() throws -> Int32 {
        // Read first, so that a wrong path fails before a run of several minutes.
        let earlier = try options.earlierFile.map { try ResultsFile.read($0) }
        let launcher = try ClientLauncher(clients: options.clients)
        let wrk = try options.cases.contains(where: \.isComparedWithWrk) ? Wrk() : nil
        try removeOldResults()
        let abilities = Abilities(
            hasGo: launcher.hasGo, hasNewerLibcurl: NewerLibcurl.isThere,
            fileLimit: FileLimit.raise()
        )
        let results = try measureAll(launcher, wrk, abilities)
        return try conclude(results, notes(abilities), earlier)
    }

    private func measureAll(
        _ launcher: ClientLauncher, _ wrk: Wrk?, _ abilities: Abilities
    ) throws -> [CaseResult] {
        let workspace = try Workspace()
        StopSignals.handle { workspace.closeAndExit(status: $0) }
        defer { workspace.close() }
        let server = try FileServer.start(
            in: workspace, serving: Set(options.cases.map(\.file)),
            on: Set(options.cases.map(\.listener))
        )
        return try options.cases.map { benchmarkCase in
            let size = server.size(of: benchmarkCase.file) ?? 0
            var result = CaseResult(benchmarkCase, bodyBytes: size)
            let clients = options.clients.filter {
                $0.takesPart(in: benchmarkCase) && abilities.objection(to: $0, benchmarkCase) == nil
            }
            for round in 0..<options.rounds where !clients.isEmpty {
                progress(benchmarkCase, round)
                // Each round starts with another client, so that none is always first.
                for index in clients.indices {
                    let client = clients[(index + round) % clients.count]
                    measure(client, &result, launcher, server, workspace)
                }
                if benchmarkCase.isComparedWithWrk, let wrk {
                    let url = server.url(of: benchmarkCase)
                    let seconds = options.isQuick ? 1 : 2
                    result.wrkRates.append(try wrk.run(url: url, seconds: seconds, in: workspace))
                }
            }
            return result
        }
    }

    /// Runs a client once, unless it has already failed in this case.
    private func measure(
        _ client: Client, _ result: inout CaseResult, _ launcher: ClientLauncher,
        _ server: FileServer, _ workspace: Workspace
    ) {
        let benchmarkCase = result.benchmarkCase
        guard result.failures[client] == nil else { return }
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

    private func notes(_ abilities: Abilities) -> [String] {
        var notes: [String] = []
        for benchmarkCase in options.cases {
            for client in options.clients where client.takesPart(in: benchmarkCase) {
                guard let note = abilities.objection(to: client, benchmarkCase),
                    !notes.contains(note)
                else { continue }
                notes.append(note)
            }
        }
        return notes
    }

    private func conclude(
        _ results: [CaseResult], _ notes: [String], _ earlier: ResultsFile?
    ) throws -> Int32 {
        let machine = Machine.current()
        print(Report(results: results, machine: machine, options: options, notes: notes).text)
        guard !results.contains(where: \.isVoid) else {
            return ExitStatus.void
        }
        let file = ResultsFile(results: results, clients: options.clients, machine: machine)
        if let path = options.jsonFile { try file.write(to: path) }
        if let path = options.chartFile {
            let svg = ResultsChart(file).chart.svg
            try svg.write(toFile: path, atomically: true, encoding: .utf8)
        }
        let comparison = earlier.map {
            Comparison(earlier: $0, later: file, tolerance: options.tolerance)
        }
        if let comparison {
            let report = ComparisonReport(comparison: comparison)
            print("\n" + report.text(inMarkdown: options.isMarkdown))
        }
        guard results.allSatisfy(\.failures.isEmpty) else { return 1 }
        return comparison?.isWorse == true ? ExitStatus.worse : 0
    }

    /// Removes old results: a run that fails or is void writes none, and must not appear to have.
    private func removeOldResults() throws {
        for path in [options.jsonFile, options.chartFile].compactMap({ $0 })
        where FileManager.default.fileExists(atPath: path) {
            try FileManager.default.removeItem(atPath: path)
        }
    }

    private func progress(_ benchmarkCase: BenchmarkCase, _ round: Int) {
        BenchmarkCommand.report("\(benchmarkCase.name), round \(round + 1) of \(options.rounds)")
    }
}
