import Foundation

/// The tables a person reads.
struct Report {
    let results: [CaseResult]
    let machine: Machine
    let options: RunOptions

    var text: String {
        var parts = [machine.summary]
        for result in results {
            parts.append(heading(result.benchmarkCase))
            parts.append(table(result).text(inMarkdown: options.isMarkdown))
            parts += failures(result)
            let notes = ratios(result) + wrk(result)
            if !notes.isEmpty {
                parts.append(notes.map { "- \($0)" }.joined(separator: "\n"))
            }
        }
        if results.contains(where: \.isVoid) {
            parts.append("THIS RUN IS VOID: its numbers mean nothing. Repeat it undisturbed.")
        }
        return parts.joined(separator: "\n\n")
    }

    private func heading(_ benchmarkCase: BenchmarkCase) -> String {
        options.isMarkdown ? "### `\(benchmarkCase.name)`" : "== \(benchmarkCase.name) =="
    }

    private func table(_ result: CaseResult) -> Table {
        let isLarge = result.benchmarkCase.isLarge
        var table = Table(
            header: ["client", "requests/s", "CPU µs/request"] + (isLarge ? ["MB/s"] : [])
                + ["peak MiB", "idle MiB"]
        )
        for client in options.clients where client.takesPart(in: result.benchmarkCase.work) {
            guard result.failures[client] == nil else {
                let blanks = table.header.dropFirst(2).map { _ in "" }
                table.rows.append([client.rawValue, "failed"] + blanks)
                continue
            }
            func cell(_ digits: Int, _ value: (ClientRun) -> Double) -> String {
                spread(result.statistic(client, value), digits)
            }
            table.rows.append(
                [
                    client.rawValue,
                    cell(isLarge ? 2 : 0, \.requestsPerSecond),
                    cell(isLarge ? 0 : 1, \.cpuMicrosecondsPerRequest),
                ]
                    + (isLarge ? [cell(0, \.megabytesPerSecond)] : [])
                    + [cell(1, \.peakMemoryMebibytes), cell(1, \.idleMemoryMebibytes)]
            )
        }
        return table
    }

    private func spread(_ statistic: Statistic?, _ digits: Int) -> String {
        guard let statistic else { return "" }
        let median = number(statistic.median, digits)
        guard options.rounds > 1 else { return median }
        let smallest = number(statistic.smallest, digits)
        return "\(median) (\(smallest)–\(number(statistic.largest, digits)))"
    }

    private func failures(_ result: CaseResult) -> [String] {
        options.clients.compactMap { client in
            result.failures[client].map { "\(client.rawValue) FAILED: \($0)" }
        }
    }

    private func ratios(_ result: CaseResult) -> [String] {
        var lines: [String] = []
        func compare(_ what: String, with rival: Client, _ value: (ClientRun) -> Double) {
            guard let own = result.median(.bluebonnet, value),
                let others = result.median(rival, value)
            else { return }
            let ratio = number(own / others, 2)
            lines.append("bluebonnet's \(what): \(ratio) times that of \(rival.rawValue)")
        }
        compare("CPU per request", with: .c, \.cpuMicrosecondsPerRequest)
        compare("requests/s", with: .urlSession, \.requestsPerSecond)
        guard result.benchmarkCase.isLarge else { return lines }
        compare("wall time per request", with: .c) { $0.seconds / Double($0.requests) }
        compare("wall time per request", with: .curl) { $0.seconds / Double($0.requests) }
        let beyond = options.clients.compactMap { client in
            result.memoryBeyondBody(client).map { "\(client.rawValue) \(number($0, 1))" }
        }
        if !beyond.isEmpty {
            lines.append("peak above idle minus body, MiB: " + beyond.joined(separator: ", "))
        }
        return lines
    }

    private func wrk(_ result: CaseResult) -> [String] {
        guard let rate = Statistic(result.wrkRates) else { return [] }
        var line = "wrk: \(spread(rate, 0)) requests/s"
        if let share = result.shareOfWrk {
            line += ", of which c does \(number(share * 100, 0)) %"
        }
        if result.isVoid {
            line += ": VOID, since c must do at least \(number(Wrk.smallestShare * 100, 0)) %"
        }
        return [line]
    }

    private func number(_ value: Double, _ digits: Int) -> String {
        String(format: "%.\(digits)f", value)
    }
}
