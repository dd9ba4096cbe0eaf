import BluebonnetTransport

/// A part of a task's life, which operates on the task's delegate.
///
/// A stage performs something, or finds something out and returns it as an event. ``TaskRun`` makes
/// the decisions about the task, based on these events. A stage runs on the callback queue unless
/// documented otherwise.
protocol TaskStage: Sendable {
    var delegate: TaskDelegate { get }

    init(delegate: TaskDelegate)
}

extension TaskStage {
    init(_ delegate: TaskDelegate) { self.init(delegate: delegate) }

    var state: Locked<TaskState> { delegate.state }
    var session: SessionCore { delegate.session }
    var manager: SessionManager? { delegate.manager }
    var task: SessionTask? { delegate.task }
}
