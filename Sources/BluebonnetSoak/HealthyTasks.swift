import Bluebonnet
import Foundation

/// Eight concurrent tasks with a healthy server, and their durations.
///
/// Each task starts 20 ms after the previous one has ended.
final class HealthyTasks: Sendable {
    /// The durations that are being measured, or nil if none are.
    private let latencies = Locked<Latencies?>(nil)
    private let isOn = Locked(true)
    private let manager: SessionManager
    private let ledger: Ledger
    private let url: URL
    private let queue = DispatchQueue(label: "soak.healthy")

    init(_ ledger: Ledger, _ manager: SessionManager, url: URL) {
        self.ledger = ledger
        self.manager = manager
        self.url = url
    }

    func start() {
        for _ in 0..<8 { startOne() }
    }

    /// Starts no more tasks, not even those whose pause has not ended.
    func stop() {
        isOn.withLock { $0 = false }
        queue.sync {}
    }

    /// Adds the durations of the tasks that start from now on, or measures none if nil.
    func measure(_ latencies: Latencies?) { self.latencies.withLock { $0 = latencies } }

    private func startOne() {
        let number = ledger.begin("healthy", .success)
        let latencies = latencies.withLock { $0 }
        manager.dataTask(with: URLRequest(url: url), serializer: HTTPResponseSerializer()) {
            [self] response in
            let seconds = ledger.end(number, response.error.map { "\($0)" })
            if let seconds { latencies?.add(seconds) }
            queue.asyncAfter(deadline: .now() + .milliseconds(20)) { [self] in
                if isOn.withLock({ $0 }) { startOne() }
            }
        }.resume()
    }
}
