import Foundation
import Glibc

/// Runs the curl command once a request, to a file or from one.
func runCurlCommand(_ parameters: ClientParameters) throws -> ClientRun {
    let executable = try InstalledProgram(name: "curl").locate()
    let (file, count) = (parameters.file, parameters.count)
    var arguments = ["-sSf", "-o", file.path]
    if case .upload = parameters.work {
        arguments = ["-sSf", "-T", file.path, "-o", "/dev/null"]
    }
    arguments.append(parameters.url.absoluteString)
    try run(executable, arguments)
    let (start, before) = (ContinuousClock.now, childUsage())
    for _ in 0..<count { try run(executable, arguments) }
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

private func run(_ executable: URL, _ arguments: [String]) throws {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
        throw BenchmarkFailure("curl exited with status \(process.terminationStatus)")
    }
}

private func childUsage() -> (cpuSeconds: Double, peakMebibytes: Double) {
    var usage = rusage()
    getrusage(RUSAGE_CHILDREN.rawValue, &usage)
    let micros = Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
    let seconds = Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
    return (seconds + micros / 1e6, Double(usage.ru_maxrss) / 1024)
}
