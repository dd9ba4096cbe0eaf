/// The interceptors with which a task is made, or which are added to it.
///
/// An object, since every task has room for one, and most have none.
final class TaskInterceptors: Sendable {
    let all: [any RequestInterceptor]
    /// The refreshes in which it was made.
    let scope: RefreshScope

    init(_ all: [any RequestInterceptor], in scope: RefreshScope = .current) {
        self.all = all
        self.scope = scope
    }

    /// Those, and some that are added behind them.
    func adding(_ others: TaskInterceptors?) -> TaskInterceptors {
        others.map { TaskInterceptors(all + $0.all, in: scope) } ?? self
    }
}
