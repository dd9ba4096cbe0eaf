import Foundation

/// The table of `scripts/benchmark tls` and the faults that follow from it.
struct TLSReport {
    let runs: [TLSCase: [Client: [ClientRun]]]
    let clients: [Client]

    var text: String {
        var table = Table(
            header: ["each request"] + clients.map { "\($0.rawValue) requests/s" }
                + clients.map { "\($0.rawValue) CPU µs" } + ["CPU ratio"]
        )
        for each in TLSCase.allCases {
            let cpu = clients.map { statistic($0, each, \.cpuMicrosecondsPerRequest) }
            table.rows.append(
                [each.rawValue]
                    + clients.map { spread(statistic($0, each, \.requestsPerSecond), 0) }
                    + cpu.map { spread($0, 1) } + [ratio(cpu)]
            )
        }
        let notes = [TLSCase.full, .resumed].map { each in
            let costs = clients.map { client in
                "\(client.rawValue) \(number(handshake(client, each), 2))"
            }
            return "- CPU of a \(each.rawValue) alone, ms: " + costs.joined(separator: ", ")
        }
        return table.text(inMarkdown: false) + "\n\n" + notes.joined(separator: "\n")
    }

    /// The handshakes that cost more than the budget.
    var faults: [String] {
        [TLSCase.full, .resumed].compactMap { each in
            guard let cost = handshake(.bluebonnet, each), cost > TLSCase.budget else { return nil }
            return "a \(each.rawValue) costs bluebonnet \(number(cost, 2)) ms of CPU, which is "
                + "more than \(number(TLSCase.budget, 0))"
        }
    }

    /// Returns the CPU milliseconds of a request minus those of one on a new connection without
    /// TLS.
    private func handshake(_ client: Client, _ each: TLSCase) -> Double? {
        guard let all = statistic(client, each, \.cpuMicrosecondsPerRequest)?.median,
            let plain = statistic(client, .plain, \.cpuMicrosecondsPerRequest)?.median
        else { return nil }
        return (all - plain) / 1000
    }

    private func statistic(
        _ client: Client, _ each: TLSCase, _ value: (ClientRun) -> Double
    ) -> Statistic? {
        Statistic((runs[each]?[client] ?? []).map(value))
    }

    private func ratio(_ statistics: [Statistic?]) -> String {
        guard let own = statistics.first??.median, let others = statistics.last??.median else {
            return ""
        }
        return number(own / others, 2)
    }

    private func spread(_ statistic: Statistic?, _ digits: Int) -> String {
        guard let statistic else { return "" }
        let median = number(statistic.median, digits)
        guard statistic.smallest < statistic.largest else { return median }
        let smallest = number(statistic.smallest, digits)
        return "\(median) (\(smallest)–\(number(statistic.largest, digits)))"
    }

    private func number(_ value: Double?, _ digits: Int) -> String {
        value.map { String(format: "%.\(digits)f", $0) } ?? "-"
    }
}
