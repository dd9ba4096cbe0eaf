/// What there is more and more of while the cost of a request is to stay the same.
enum ScalingAxis: String, CaseIterable, Sendable {
    case requests
    case tasks
    case hosts
    case observers

    /// Three decades.
    var values: [Int] {
        switch self {
        case .requests: [100, 1_000, 10_000, 100_000]
        case .tasks: [10, 100, 1_000, 10_000]
        case .hosts, .observers: [1, 10, 100, 1_000]
        }
    }

    var title: String {
        switch self {
        case .requests: "requests done before"
        case .tasks: "tasks in flight beside"
        case .hosts: "hosts known"
        case .observers: "observers, none of them of a task"
        }
    }
}
