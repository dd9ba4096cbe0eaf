import BluebonnetTransport
public import Foundation
import FoundationNetworking

/// What a manager knows of one task: what it uses, what came of it so far, and its queue.
///
/// It is in the manager's map from the task's making to its completion. Every member may be used
/// on any thread.
public class TaskDelegate: @unchecked Sendable {
    // @unchecked because the class is not final: constants and one `Locked` are all it has, and no
    // subclass adds stored state.

    /// A number that no other task of the same manager has.
    public let taskIdentifier: Int
    /// The request as it was asked for; nil when it could not be built.
    let originalRequest: URLRequest?

    let session: Session
    let setup: TaskSetup
    let state: Locked<TaskState>

    init(
        taskIdentifier: Int,
        session: Session,
        setup: TaskSetup,
        delivery: any TaskDelivery,
        downloadProgress: ProgressHandler?,
        manager: SessionManager
    ) {
        self.taskIdentifier = taskIdentifier
        self.session = session
        self.setup = setup
        let request = try? setup.request.get()
        originalRequest = request
        state = Locked(
            TaskState(
                delivery: delivery,
                downloadProgress: downloadProgress,
                manager: manager,
                currentRequest: request
            )
        )
    }

    /// The task's queue, released when it completes.
    public var queue: SerialOperationQueue {
        // Most tasks never need theirs, so it is made for the first who asks.
        state.withLock { state in
            if let queue = state.queue { return queue }
            let queue = SerialOperationQueue(
                lane: .of(taskIdentifier),
                isSuspended: !state.isQueueReleased
            )
            state.queue = queue
            return queue
        }
    }

    /// The task; nil once nobody holds it.
    public var task: SessionTask? { state.withLock { $0.task } }

    /// The body as far as it has arrived.
    public var data: Data { state.withLock { $0.body.data } }

    /// Why the task failed; nil for a success and before the end.
    public var error: BluebonnetError? { state.withLock { $0.error } }

    /// What was measured so far; nil before the first exchange has ended.
    public var metrics: TaskMetrics? { state.withLock { $0.metrics } }

    /// Status and headers of the response; nil before they have arrived.
    public var head: ResponseHead? { state.withLock { $0.head } }

    /// The request as it was last sent, after redirects.
    var currentRequest: URLRequest? { state.withLock { $0.currentRequest } }

    var taskDescription: String? {
        get { state.withLock { $0.taskDescription } }
        set { state.withLock { $0.taskDescription = newValue } }
    }

    var taskState: SessionTask.State {
        switch state.withLock({ $0.lifecycle.phase }) {
        case .new, .suspended: .suspended
        case .running: .running
        case .canceling: .canceling
        case .completed: .completed
        }
    }

    var isNew: Bool { state.withLock { $0.lifecycle.phase == .new } }

    /// A task for this delegate, of the kind that belongs to it.
    func makeTask() -> SessionTask { SessionTask(delegate: self) }
}

// @unchecked as in the superclass: no stored state is added.
/// The delegate of a ``DataTask``.
public final class DataTaskDelegate: TaskDelegate, @unchecked Sendable {
    override func makeTask() -> SessionTask { DataTask(delegate: self) }
}

/// What a task uses, captured when it is made.
struct TaskSetup: Sendable {
    var request: Result<URLRequest, BluebonnetError>
    var pool: Exchange.Pool
    var group: DispatchGroup?
}

/// The serializer's part of a task and who waits for what comes of it, let go when that is done: a
/// handler may hold its own task.
protocol TaskDelivery: AnyObject, Sendable {
    /// Whether serializing is no work, whatever the body.
    var serializesInNoTime: Bool { get }
    /// The serializer's judgement of a head; nil for a good one.
    func judge(_ head: ResponseHead) -> BluebonnetError?
    /// Serializes, brings the response to who waits for it, and then tells the delegate.
    ///
    /// In a batch, the end of which is near, handlers may wait for it.
    func finish(_ outcome: TaskOutcome, of delegate: TaskDelegate, inBatch: Bool)
}

/// What came of a task, before it is serialized.
struct TaskOutcome: Sendable {
    var request: URLRequest?
    var head: ResponseHead?
    var data: Data
    var metrics: TaskMetrics?
    var error: BluebonnetError?
}

/// What changes while a task lives.
struct TaskState {
    var lifecycle = TaskLifecycle()
    var delivery: (any TaskDelivery)?
    /// Reports the body's progress, on the callback queue.
    var downloadProgress: ProgressHandler?
    weak var task: SessionTask?
    weak var manager: SessionManager?
    var queue: SerialOperationQueue?
    var isQueueReleased = false
    /// Held from the first `resume()` until the completion is delivered.
    var held: (task: SessionTask, manager: SessionManager?)?

    var effects = TaskEffects()

    var taskDescription: String?
    var currentRequest: URLRequest?
    var head: ResponseHead?
    /// The serializer's judgement of the head.
    var verdict: BluebonnetError?
    /// Whether the head is a redirect's, so that the body is nobody's yet.
    var isRedirect = false
    var pendingRedirectError: BluebonnetError?
    var redirectCount = 0
    var body = BodyCollector()
    var error: BluebonnetError?
    var progress: Progress?
    var startDate: Date?
    var exchanges: [Exchange.Metrics] = []

    var metrics: TaskMetrics? {
        guard let startDate, let last = exchanges.last else { return nil }
        let end = last.startDate.addingTimeInterval(last.totalDuration)
        let interval = DateInterval(start: startDate, end: max(startDate, end))
        return TaskMetrics(exchanges: exchanges, taskInterval: interval)
    }
}

/// Hears of a transfer's progress, on the manager's callback queue.
///
/// The total is -1 while it is not known.
public typealias ProgressHandler = @Sendable (Progress) -> Void
