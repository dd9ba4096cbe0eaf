/// The quantities that increase while the cost of a request should stay constant.
enum ScalingAxis: String, CaseIterable, Sendable {
    case requests
    case tasks
    case hosts
    case observers

    /// The values of the axis, over three decades.
    var values: [Int] {
        switch self {
        case .requests: [100, 1_000, 10_000, 100_000]
        case .tasks: [10, 100, 1_000, 10_000]
        case .hosts, .observers: [1, 10, 100, 1_000]
        }
    }

    var title: String {
        switch self {
        case .requests: "requests completed before"
        case .tasks: "other tasks in flight"
        case .hosts: "known hosts"
        case .observers: "observers of other notifications"
        }
    }
}
