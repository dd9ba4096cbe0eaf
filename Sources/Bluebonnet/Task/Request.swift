public import Foundation
public import FoundationNetworking

/// A handle of a task that covers all of its attempts.
///
/// Interceptors and monitors receive handles, and the chain methods of ``HTTPSessionManager``
/// return them. Every member can be used on any thread. Two handles of the same task are equal.
public class Request: @unchecked Sendable {
    // @unchecked because the class is not final: it has only constants, and no subclass adds state.
    let delegate: TaskDelegate
    /// The task, if the handle keeps it alive for the caller.
    ///
    /// The delegate keeps the task alive only from its first `resume()`. A task that is released
    /// before that is canceled.
    private let heldTask: SessionTask?
    /// Whether adding the first handler resumes the task.
    private let resumesAutomatically: Bool

    required init(
        _ delegate: TaskDelegate, holding task: SessionTask? = nil,
        resumesAutomatically: Bool = false
    ) {
        self.delegate = delegate
        heldTask = task
        self.resumesAutomatically = resumesAutomatically
    }

    /// The identifier of the request, the same for all of its attempts.
    public var id: UUID { delegate.state.withLock { $0.madeRequestID() } }

    /// The task; for interceptors, nil once the task has ended and was released.
    public var task: SessionTask? { heldTask ?? delegate.task }
    /// The request as it was last sent, or is about to be, after adaptation.
    public var request: URLRequest? { delegate.currentRequest }
    /// The head of the last response as a Foundation object; nil before it has arrived.
    public var response: HTTPURLResponse? { delegate.head?.httpURLResponse }
    /// The status code and header fields of the last response; nil before they have arrived.
    public var head: ResponseHead? { delegate.head }
    /// The body as far as it has arrived and was kept in memory; nil without a response.
    public var data: Data? { delegate.head == nil ? nil : delegate.data }
    /// The error of a failed task or, while it is running, the error that retriers are asked about.
    public var error: BluebonnetError? { delegate.lastError }
    /// The measurements so far; nil before the first exchange has ended.
    public var metrics: TaskMetrics? { delegate.metrics }
    /// The number of retries: 0 in the first attempt, and 1 as soon as a second one is planned.
    public var retryCount: Int { delegate.retryCount }
    /// The number of the attempt, from 1; 0 before the first.
    public var attemptNumber: Int { delegate.attemptNumber }

    /// Adds a responder, and resumes the task if it starts automatically.
    func add(_ responder: any TaskResponder) {
        delegate.add(responder)
        startByItself()
    }

    /// Resumes the task if it starts automatically and has never been resumed, suspended or
    /// canceled.
    func startByItself() {
        if resumesAutomatically, delegate.isUntouched { resume() }
    }
}

extension Request: Hashable {
    /// Returns whether two handles belong to the same task.
    public static func == (left: Request, right: Request) -> Bool {
        left.delegate === right.delegate
    }

    /// Hashes the task that the handle belongs to.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(delegate)) }
}

extension Request: CustomStringConvertible, CustomReflectable {
    /// The method, URL and status code in one line, without secrets.
    public var description: String {
        guard let request else { return "a request that has not been created yet" }
        return request.summary + (head.map { " (\($0.statusCode))" } ?? "")
    }

    /// A mirror with only the description, because requests and responses contain secrets.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
