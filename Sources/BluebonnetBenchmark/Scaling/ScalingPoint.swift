import Bluebonnet
import BluebonnetTestSupport
import Foundation

/// One value of one axis, at which the cost of a request is measured.
struct ScalingPoint: Hashable, Sendable {
    /// The number of concurrent requests at all points.
    static let concurrency = 64

    let axis: ScalingAxis
    let value: Int

    init(axis: ScalingAxis, value: Int) {
        self.axis = axis
        self.value = value
    }

    /// Creates a point from a name such as "scaling-hosts-1000".
    init?(name: String) {
        let parts = name.split(separator: "-")
        guard parts.count == 3, parts[0] == "scaling",
            let axis = ScalingAxis(rawValue: "\(parts[1])"),
            let value = Int(parts[2]), value > 0
        else { return nil }
        self.init(axis: axis, value: value)
    }

    var name: String { "scaling-\(axis.rawValue)-\(value)" }

    /// The number of connections that are open at a time.
    var connections: Int {
        switch axis {
        case .requests, .observers: Self.concurrency
        // One more for the request that waits until all other tasks have arrived.
        case .tasks: Self.concurrency + value + 1
        case .hosts: Self.concurrency + value
        }
    }

    /// Brings the axis to its value, then measures requests to one host.
    func measure(
        _ parameters: ClientParameters, exchange: @escaping ClosedLoop.Exchange
    ) throws -> ClientRun {
        let request = parameters.request
        switch axis {
        case .requests:
            _ = try ClosedLoop.measure(count: value, concurrency: Self.concurrency) {
                exchange(request, $0)
            }
        case .tasks:
            try HeldTasks(parameters, count: value, exchange).hold()
        case .hosts:
            let rotation = try HostRotation(parameters.url, count: value)
            _ = try ClosedLoop.measure(count: value, concurrency: Self.concurrency) {
                exchange(rotation.next(), $0)
            }
        case .observers: observe()
        }
        return try ClosedLoop.measure(count: parameters.count, concurrency: Self.concurrency) {
            exchange(request, $0)
        }
    }

    /// Registers `value` observers of notifications that are never posted, until the process ends.
    private func observe() {
        // The library posts notifications only after one of their names has been read.
        if value > 0 { _ = SessionTask.didCompleteNotification }
        for number in 0..<value {
            _ = NotificationCenter.default.addObserver(
                forName: Notification.Name("benchmark.\(number)"), object: nil, queue: nil
            ) { _ in }
        }
    }
}
