public import Foundation
public import FoundationNetworking

/// A request as interceptors see it: a handle of its task, over all attempts.
///
/// Every member may be used on any thread. Two handles of one task are equal.
public class Request: @unchecked Sendable {
    // @unchecked because the class is not final: it has a constant, and no subclass adds stored state.
    let delegate: TaskDelegate

    init(_ delegate: TaskDelegate) {
        self.delegate = delegate
    }

    /// Identifies the request, in all of its attempts.
    public var id: UUID { delegate.state.withLock { $0.madeRequestID() } }

    /// The task; nil once it has ended and is held by nobody.
    public var task: SessionTask? { delegate.task }
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
    /// How many retries there were: 0 in the first attempt, and 1 in the second.
    public var retryCount: Int { max(0, attemptNumber - 1) }
    /// The number of the attempt, from 1; 0 before the first.
    public var attemptNumber: Int { delegate.attemptNumber }
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
    /// The task in one line, without what may be secret.
    public var description: String { delegate.description }

    /// The description alone: requests and responses hold secrets.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
