public import Foundation
public import FoundationNetworking

/// A request as a handle of its task, over all attempts.
///
/// Interceptors and monitors get one, and the chain of ``HTTPSessionManager`` returns one. Every member may be
/// used on any thread. Two handles of one task are equal.
public class Request: @unchecked Sendable {
    // @unchecked because the class is not final: it has constants, and no subclass adds stored state.
    let delegate: TaskDelegate
    /// The task, where the handle is what its maker holds of it: the delegate holds the task only from its first
    /// `resume()` on, and one that nobody holds before that is cancelled.
    private let heldTask: SessionTask?
    /// Whether the first handler resumes the task, which knows nothing of who made it for what.
    private let resumesAutomatically: Bool

    required init(
        _ delegate: TaskDelegate, holding task: SessionTask? = nil,
        resumesAutomatically: Bool = false
    ) {
        self.delegate = delegate
        heldTask = task
        self.resumesAutomatically = resumesAutomatically
    }

    /// Identifies the request, in all of its attempts.
    public var id: UUID { delegate.state.withLock { $0.madeRequestID() } }

    /// The task; of a request that interceptors got, nil once it has ended and is held by nobody.
    public var task: SessionTask? { heldTask ?? delegate.task }
    /// The request as it was last sent, or is about to be, with what adapters made of it.
    public var request: URLRequest? { delegate.currentRequest }
    /// Foundation's form of the last response's head; nil before it has arrived.
    public var response: HTTPURLResponse? { delegate.head?.httpURLResponse }
    /// Status and header fields of the last response; nil before they have arrived.
    public var head: ResponseHead? { delegate.head }
    /// The body as far as it has arrived and was kept in memory; nil without a response.
    public var data: Data? { delegate.head == nil ? nil : delegate.data }
    /// Why the task has failed or, while it goes on, what its retriers are asked about; nil otherwise.
    public var error: BluebonnetError? { delegate.lastError }
    /// What was measured so far; nil before the first exchange has ended.
    public var metrics: TaskMetrics? { delegate.metrics }
    /// How many retries there were: 0 in the first attempt, and 1 as soon as a second one is due.
    public var retryCount: Int { delegate.retryCount }
    /// The number of the attempt, from 1; 0 before the first.
    public var attemptNumber: Int { delegate.attemptNumber }

    /// Adds what is told of the end, and resumes the task if it is to start by itself.
    func add(_ responder: any TaskResponder) {
        delegate.add(responder)
        startByItself()
    }

    /// Resumes the task if it is to start by itself, and nobody has done anything with it.
    func startByItself() {
        if resumesAutomatically, delegate.isUntouched { resume() }
    }
}

extension Request: Hashable {
    /// Compares what two requests are handles of.
    public static func == (left: Request, right: Request) -> Bool {
        left.delegate === right.delegate
    }

    /// Hashes what the request is a handle of.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(delegate)) }
}

extension Request: CustomStringConvertible, CustomReflectable {
    /// Method, URL and status in one line, without what may be secret.
    public var description: String {
        guard let request else { return "a request that has not been made yet" }
        return request.summary + (head.map { " (\($0.statusCode))" } ?? "")
    }

    /// The description alone: requests and responses hold secrets.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
