/// The interceptors that a task is created with, or that are added to it.
///
/// A class, so that a task without interceptors, the common case, stores only an empty reference.
final class TaskInterceptors: Sendable {
    let all: [any RequestInterceptor]
    /// The refreshes during which the interceptors were set.
    let scope: RefreshScope

    init(_ all: [any RequestInterceptor], in scope: RefreshScope = .current) {
        self.all = all
        self.scope = scope
    }

    /// Returns these interceptors followed by others.
    func adding(_ others: TaskInterceptors?) -> TaskInterceptors {
        others.map { TaskInterceptors(all + $0.all, in: scope) } ?? self
    }
}
