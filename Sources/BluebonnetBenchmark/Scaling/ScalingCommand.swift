import Foundation

/// `scripts/benchmark scaling`: measures how the cost of a request depends on each axis.
struct ScalingCommand {
    let options: ScalingOptions

    func run() throws {
        if let complaint = FileLimit.raise() { throw BenchmarkFailure(complaint) }
        let launcher = try ClientLauncher(clients: [.bluebonnet])
        let workspace = try Workspace()
        StopSignals.handle { workspace.closeAndExit(status: $0) }
        defer { workspace.close() }
        let server = try FileServer.start(
            in: workspace, serving: [.small], on: [.plain, .everyLoopbackAddress]
        )
        var report = ScalingReport()
        for round in 0..<options.rounds {
            for axis in options.axes {
                BenchmarkCommand.report("\(axis.title), round \(round + 1) of \(options.rounds)")
                for value in axis.values {
                    let point = ScalingPoint(axis: axis, value: value)
                    let run = try measure(point, launcher, server, workspace)
                    report.add(run.cpuMicrosecondsPerRequest, at: point)
                }
            }
        }
        print(Machine.current().summary)
        print(report.text(inMarkdown: options.isMarkdown))
        if let path = options.chartFile {
            try report.chart.svg.write(toFile: path, atomically: true, encoding: .utf8)
        }
    }

    private func measure(
        _ point: ScalingPoint, _ launcher: ClientLauncher, _ server: FileServer,
        _ workspace: Workspace
    ) throws -> ClientRun {
        let slow = point.axis == .tasks ? try SlowServer() : nil
        defer { slow?.stop() }
        let listener = point.axis == .hosts ? NginxListener.everyLoopbackAddress : .plain
        let arguments = [
            point.name, server.url(of: .small, on: listener), String(options.count),
            String(point.connections),
        ]
        return try launcher.run(
            .bluebonnet, arguments + (slow.map { [$0.url] } ?? []), in: workspace
        )
    }
}
