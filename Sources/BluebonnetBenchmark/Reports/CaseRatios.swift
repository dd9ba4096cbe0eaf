import Foundation

/// Lines of text with the ratios of Bluebonnet to the other clients in one case.
struct CaseRatios {
    private let result: CaseResult

    init(_ result: CaseResult) {
        self.result = result
    }

    var lines: [String] {
        let lines = [Client.c, .go, .curl, .urlSession].flatMap { rival in
            [
                line("requests/s", with: rival, \.requestsPerSecond),
                line("CPU per request", with: rival, \.cpuMicrosecondsPerRequest),
            ]
        }
        let own = [
            line(of: .bluebonnetAsync, "requests/s", with: .bluebonnet, \.requestsPerSecond),
            line(
                of: .bluebonnetAsync, "CPU per request", with: .bluebonnet,
                \.cpuMicrosecondsPerRequest
            ),
        ]
        return (lines + own).compactMap { $0 } + memory + remarks
    }

    private var remarks: [String] {
        guard case .typed = result.benchmarkCase.work else { return [] }
        return ["c only receives the bodies, while the others decode them"]
    }

    private var memory: [String] {
        if case .amongHeld = result.benchmarkCase.work {
            let perTask = { (run: ClientRun) in run.memoryPerTaskKibibytes ?? 0 }
            guard let own = result.median(.bluebonnet, perTask), let c = result.median(.c, perTask)
            else { return [] }
            return ["bluebonnet's memory per task, minus that of c: \(number(own - c, 1)) KiB"]
        }
        guard result.benchmarkCase.isLarge else { return [] }
        let beyond = Client.allCases.compactMap { client in
            result.memoryBeyondBody(client).map { "\(client.rawValue) \(number($0, 1))" }
        }
        guard !beyond.isEmpty else { return [] }
        return ["peak above idle minus body, MiB: " + beyond.joined(separator: ", ")]
    }

    private func line(
        of own: Client = .bluebonnet, _ what: String, with rival: Client,
        _ value: (ClientRun) -> Double
    ) -> String? {
        guard let mine = result.median(own, value), let other = result.median(rival, value),
            other > 0
        else { return nil }
        return
            "\(own.rawValue)'s \(what): \(number(mine / other, 2)) times that of \(rival.rawValue)"
    }

    private func number(_ value: Double, _ digits: Int) -> String {
        String(format: "%.\(digits)f", value)
    }
}
