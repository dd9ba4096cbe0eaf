import BluebonnetTransport

/// A part of a task's life, as a view of the task: it finds something out, and says what that comes to.
///
/// It decides nothing about the task, which ``TaskRun`` does by the events that it returns. It runs on
/// the callback queue unless it says otherwise.
protocol TaskStage: Sendable {
    var delegate: TaskDelegate { get }
}

extension TaskStage {
    var state: Locked<TaskState> { delegate.state }
    var session: SessionCore { delegate.session }
    var manager: SessionManager? { delegate.manager }
    var task: SessionTask? { delegate.task }
}
