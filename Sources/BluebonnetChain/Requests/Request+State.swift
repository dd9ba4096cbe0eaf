public import Bluebonnet

extension Request {
    /// Whether the request was neither resumed, suspended nor canceled.
    public var isInitialized: Bool { state == .initialized }
    /// Whether the request is running.
    public var isResumed: Bool { state == .resumed }
    /// Whether the request is suspended.
    public var isSuspended: Bool { state == .suspended }
    /// Whether the request was canceled.
    public var isCancelled: Bool { state == .cancelled }
    /// Whether the request has ended without being canceled.
    public var isFinished: Bool { state == .finished }

    /// The requests of all attempts, as last sent; empty before the first is created.
    public var requests: [URLRequest] { delegate.requests }

    /// The request of the first attempt; nil before it is created.
    public var firstRequest: URLRequest? { requests.first }
    /// The request of the last attempt for which one could be created.
    public var lastRequest: URLRequest? { requests.last }
    /// The same as ``requests``.
    public var performedRequests: [URLRequest] { requests }

    /// The request itself, because a retry is another attempt of the same task.
    public var task: SessionTask? { self }
    /// An array of ``task`` alone.
    public var tasks: [SessionTask] { [self] }
    /// The same as ``task``.
    public var firstTask: SessionTask? { self }
    /// The same as ``task``.
    public var lastTask: SessionTask? { self }

    /// The metrics of each attempt that sent something, in order.
    public var allMetrics: [TaskMetrics] {
        delegate.metricsOfAttempts.compactMap(\.self)
    }
    /// The metrics of the first attempt that sent something.
    public var firstMetrics: TaskMetrics? { allMetrics.first }
    /// The metrics of the last attempt that sent something.
    public var lastMetrics: TaskMetrics? { allMetrics.last }

    /// Returns the metrics of an attempt, counted from 1; nil if it sent nothing.
    func metrics(ofAttempt number: Int) -> TaskMetrics? {
        let all = delegate.metricsOfAttempts
        return all.indices.contains(number - 1) ? all[number - 1] : nil
    }

    /// The download progress of the response's body.
    ///
    /// In a chain, the total is 0 before a response arrives, and -1 if its length is unknown.
    public var downloadProgress: Progress { delegate.progress }
}
