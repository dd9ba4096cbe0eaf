import BluebonnetTestSupport
import Foundation
import FoundationNetworking

/// Requests, one at a time, before and during a number of tasks in flight to a slow server.
struct HeldTasks {
    private let parameters: ClientParameters
    private let count: Int
    private let exchange: ClosedLoop.Exchange
    private let ended = Ended()

    /// Creates a measurement with `count` held tasks.
    ///
    /// The argument of the parameters is the slow server's URL.
    init(_ parameters: ClientParameters, count: Int, _ exchange: @escaping ClosedLoop.Exchange) {
        self.parameters = parameters
        self.count = count
        self.exchange = exchange
    }

    func measure() throws -> ClientRun {
        let alone = try measureOne()
        try hold()
        var among = try measureOne()
        if let outcome = ended.outcome {
            throw BenchmarkFailure("a request that should have stayed in flight ended: \(outcome)")
        }
        let grown = among.idleMemoryMebibytes - alone.idleMemoryMebibytes
        among.memoryPerTaskKibibytes = grown * 1024 / Double(count)
        among.slowdown = among.seconds / alone.seconds
        among.cpuGrowth = among.cpuSeconds / alone.cpuSeconds
        return among
    }

    /// Starts the held tasks and returns when all of them have arrived at the server.
    func hold() throws {
        let slow = try request("slow")
        for _ in 0..<count {
            exchange(slow) { [ended] in ended.note($0) }
        }
        let barrier = try request("barrier/\(count)")
        _ = try ClosedLoop.once { exchange(barrier, $0) }
        // Each task has a timer that fires once, soon after the task has started.
        usleep(500_000)
    }

    private func measureOne() throws -> ClientRun {
        let request = parameters.request
        return try ClosedLoop.measure(count: parameters.count, concurrency: 1) {
            exchange(request, $0)
        }
    }

    private func request(_ path: String) throws -> URLRequest {
        guard let url = URL(string: "\(parameters.argument)/\(path)") else {
            throw UsageError(message: "the slow server's URL is missing")
        }
        return URLRequest(url: url, timeoutInterval: 600)
    }
}

// @unchecked Sendable: `lock` guards everything that changes.
/// The outcome of the first held task that ended unexpectedly.
private final class Ended: @unchecked Sendable {
    /// Guards `first`.
    private let lock = NSLock()
    private var first: ClosedLoop.Outcome?

    var outcome: ClosedLoop.Outcome? { lock.withLock { first } }

    func note(_ outcome: ClosedLoop.Outcome) {
        lock.withLock { first = first ?? outcome }
    }
}
