import Foundation

/// The measurements of one client process, which prints them as a line of JSON.
struct ClientRun: Codable, Sendable {
    let seconds: Double
    let cpuSeconds: Double
    let requests: Int
    let bytes: Int
    let idleMemoryMebibytes: Double
    let peakMemoryMebibytes: Double
    /// The memory of each task that was in flight beside the measured requests; nil without such
    /// tasks.
    var memoryPerTaskKibibytes: Double?
    /// The ratio of a request's time among those tasks to its time alone.
    var slowdown: Double?
    /// The ratio of a request's CPU time among those tasks to its CPU time alone.
    var cpuGrowth: Double?

    var requestsPerSecond: Double { Double(requests) / seconds }
    var cpuMicrosecondsPerRequest: Double { cpuSeconds * 1_000_000 / Double(requests) }
    var megabytesPerSecond: Double { Double(bytes) / seconds / 1_000_000 }

    func jsonLine() throws -> String {
        String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
    }

    /// Adds up runs in several processes.
    static func sum(_ runs: [ClientRun]) -> ClientRun {
        ClientRun(
            seconds: runs.map(\.seconds).reduce(0, +),
            cpuSeconds: runs.map(\.cpuSeconds).reduce(0, +),
            requests: runs.map(\.requests).reduce(0, +),
            bytes: runs.map(\.bytes).reduce(0, +),
            idleMemoryMebibytes: runs.map(\.idleMemoryMebibytes).max() ?? 0,
            peakMemoryMebibytes: runs.map(\.peakMemoryMebibytes).max() ?? 0
        )
    }
}
