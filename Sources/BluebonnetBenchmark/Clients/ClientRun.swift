import Foundation

/// What one client process measured: the one JSON line it prints.
struct ClientRun: Codable, Sendable {
    let seconds: Double
    let cpuSeconds: Double
    let requests: Int
    let bytes: Int
    let idleMemoryMebibytes: Double
    let peakMemoryMebibytes: Double
    /// Of each task that was in flight beside the requests that were measured; nil without any.
    var memoryPerTaskKibibytes: Double?
    /// How much longer a request took among those tasks than alone.
    var slowdown: Double?
    /// How much more CPU it took.
    var cpuGrowth: Double?

    var requestsPerSecond: Double { Double(requests) / seconds }
    var cpuMicrosecondsPerRequest: Double { cpuSeconds * 1_000_000 / Double(requests) }
    var megabytesPerSecond: Double { Double(bytes) / seconds / 1_000_000 }

    func jsonLine() throws -> String {
        String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
    }

    /// Runs in several processes as one.
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
