public import Foundation
public import FoundationNetworking

extension Request {
    /// Where a request stands.
    public enum State: Sendable, Hashable {
        /// Neither resumed, suspended nor cancelled.
        case initialized
        /// Under way.
        case resumed
        /// Stopped until it is resumed.
        case suspended
        /// Cancelled, for good.
        case cancelled
        /// Ended, for good, with a response or an error.
        case finished
    }

    /// Where the request stands, as a view of its task.
    public var state: State {
        let run = delegate.state.withLock { state in
            let isStreamCancelled =
                state.rareState?.streamFailure?.isExplicitlyCancelledError == true
            return (
                state.run.stage, state.run.isSuspended, state.run.isCancelled || isStreamCancelled
            )
        }
        switch run {
        case (_, _, true): return .cancelled
        case (.finished, _, _): return .finished
        case (_, true, _): return .suspended
        case (.new, _, _): return .initialized
        default: return .resumed
        }
    }

    /// Whether it was neither resumed, suspended nor cancelled.
    public var isInitialized: Bool { state == .initialized }
    /// Whether it is under way.
    public var isResumed: Bool { state == .resumed }
    /// Whether it is stopped until it is resumed.
    public var isSuspended: Bool { state == .suspended }
    /// Whether it was cancelled.
    public var isCancelled: Bool { state == .cancelled }
    /// Whether it has ended without being cancelled.
    public var isFinished: Bool { state == .finished }

    /// The requests of its attempts, as they were last sent; empty before the first is built.
    public var requests: [URLRequest] {
        delegate.state.withLock { state in
            (state.formerAttempts.map(\.request) + [state.attempt.request]).compactMap(\.self)
        }
    }

    /// The request of the first attempt; nil before it is built.
    public var firstRequest: URLRequest? { requests.first }
    /// The request of the last attempt that could be built.
    public var lastRequest: URLRequest? { requests.last }
    /// The requests of its attempts, as ``requests``.
    public var performedRequests: [URLRequest] { requests }

    /// The task, alone: a retry is another attempt of the same one.
    public var tasks: [SessionTask] { task.map { [$0] } ?? [] }
    /// The task.
    public var firstTask: SessionTask? { task }
    /// The task.
    public var lastTask: SessionTask? { task }

    /// What was measured of each attempt that has sent something, in order.
    public var allMetrics: [TaskMetrics] {
        delegate.state.withLock { $0.metricsOfAttempts }.compactMap(\.self)
    }
    /// What was measured of the first attempt that has sent something.
    public var firstMetrics: TaskMetrics? { allMetrics.first }
    /// What was measured of the last attempt that has sent something.
    public var lastMetrics: TaskMetrics? { allMetrics.last }

    /// What was measured of an attempt, counted from 1; nil if it has sent nothing.
    func metrics(ofAttempt number: Int) -> TaskMetrics? {
        let all = delegate.state.withLock { $0.metricsOfAttempts }
        return all.indices.contains(number - 1) ? all[number - 1] : nil
    }

    /// The request of an attempt before adapters, counted from 1.
    func initialRequest(ofAttempt number: Int) -> URLRequest? {
        delegate.state.withLock { $0.initialRequest(ofAttempt: number) }
    }

    /// How far the request's body has been sent; the total is -1 where it is not known.
    public var uploadProgress: Progress { delegate.uploadProgress }
    /// How far the response's body has come; the total is -1 while it is not known.
    public var downloadProgress: Progress { delegate.progress }
}

extension TaskState {
    fileprivate var metricsOfAttempts: [TaskMetrics?] {
        let all = ends.all
        let last = FormerAttempt(
            request: nil, initialRequest: nil, endCount: all.count,
            redirectCount: attempt.redirectCount)
        var start = 0
        return (formerAttempts + [last]).map { attempt in
            let ends = all[start..<max(start, attempt.endCount)]
            start = attempt.endCount
            return TaskMetrics(ends, redirectCount: attempt.redirectCount)
        }
    }
}
