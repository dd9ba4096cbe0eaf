import BluebonnetTestSupport
import Foundation
import Glibc

/// Runs the command `curl` once for each request, with a file to write or to send.
func runCurlCommand(_ parameters: ClientParameters) throws -> ClientRun {
    let executable = try InstalledProgram(name: "curl").locate()
    let (file, count) = (parameters.file, parameters.count)
    var arguments = ["-sSf", "-o", file.path]
    if case .upload = parameters.work {
        arguments = ["-sSf", "-T", file.path, "-o", "/dev/null"]
    }
    arguments.append(parameters.url.absoluteString)
    var command = ChildCommand(executable, arguments, in: try ServerDirectory(for: "curl"))
    command.endsWithStarter = false
    command.environment = ProcessInfo.processInfo.environment
    try run(command)
    let (start, before) = (ContinuousClock.now, childUsage())
    for _ in 0..<count { try run(command) }
    let elapsed = ContinuousClock.now - start
    let after = childUsage()
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    let size = (attributes[.size] as? NSNumber)?.intValue ?? 0
    return ClientRun(
        seconds: elapsed / .seconds(1),
        cpuSeconds: after.cpuSeconds - before.cpuSeconds,
        requests: count,
        bytes: size * count,
        idleMemoryMebibytes: 0,
        peakMemoryMebibytes: after.peakMebibytes
    )
}

/// Uses ``ChildProcess`` directly, because that adds the least cost.
private func run(_ command: ChildCommand) throws {
    let status = try ChildProcess(command).waitBlocking(seconds: 120)
    guard status == 0 else { throw BenchmarkFailure("curl exited with status \(status)") }
}

private func childUsage() -> (cpuSeconds: Double, peakMebibytes: Double) {
    var usage = rusage()
    getrusage(RUSAGE_CHILDREN.rawValue, &usage)
    let micros = Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
    let seconds = Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
    return (seconds + micros / 1e6, Double(usage.ru_maxrss) / 1024)
}
