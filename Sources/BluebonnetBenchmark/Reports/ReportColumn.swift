/// A column of the tables.
struct ReportColumn {
    let title: String
    let digits: Int
    let value: (ClientRun) -> Double

    static func all(for benchmarkCase: BenchmarkCase) -> [ReportColumn] {
        let isLarge = benchmarkCase.isLarge
        var columns = [
            ReportColumn(title: "requests/s", digits: isLarge ? 2 : 0, value: \.requestsPerSecond),
            ReportColumn(
                title: "CPU µs/request", digits: isLarge ? 0 : 1, value: \.cpuMicrosecondsPerRequest
            ),
        ]
        if isLarge {
            columns.append(
                ReportColumn(title: "MB/s", digits: 0, value: \.megabytesPerSecond))
        }
        switch benchmarkCase.work {
        case .amongHeld:
            columns += [
                ReportColumn(title: "KiB/task", digits: 1) { $0.memoryPerTaskKibibytes ?? 0 },
                ReportColumn(title: "time, × alone", digits: 2) { $0.slowdown ?? 0 },
                ReportColumn(title: "CPU, × alone", digits: 2) { $0.cpuGrowth ?? 0 },
            ]
        case .firstResponse:
            columns.append(
                ReportColumn(title: "ms from start", digits: 1) { 1000 / $0.requestsPerSecond })
        default: break
        }
        return columns + [
            ReportColumn(title: "peak MiB", digits: 1, value: \.peakMemoryMebibytes),
            ReportColumn(title: "idle MiB", digits: 1, value: \.idleMemoryMebibytes),
        ]
    }
}
