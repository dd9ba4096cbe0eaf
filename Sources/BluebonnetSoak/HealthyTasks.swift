import Bluebonnet
import Foundation

/// Eight tasks at a time with a server that works, each some time after the one before, and how long
/// they take.
final class HealthyTasks: Sendable {
    /// What is measured at the moment; nil for nothing.
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

    /// Starts none from now on, not even those that wait for their time.
    func stop() {
        isOn.withLock { $0 = false }
        queue.sync {}
    }

    /// Adds what ends from now on, if it has begun since, to these.
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
