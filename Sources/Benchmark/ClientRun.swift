import Foundation

/// What one client process measured: the one JSON line it prints.
struct ClientRun: Codable, Sendable {
    let seconds: Double
    let cpuSeconds: Double
    let requests: Int
    let bytes: Int
    let idleMemoryMebibytes: Double
    let peakMemoryMebibytes: Double

    var requestsPerSecond: Double { Double(requests) / seconds }
    var cpuMicrosecondsPerRequest: Double { cpuSeconds * 1_000_000 / Double(requests) }
    var megabytesPerSecond: Double { Double(bytes) / seconds / 1_000_000 }

    func jsonLine() throws -> String {
        String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
    }
}
