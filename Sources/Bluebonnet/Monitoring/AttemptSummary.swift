import Foundation
public import FoundationNetworking

/// How an attempt of a task went.
public struct AttemptSummary: Sendable {
    /// The request as it was last sent, or nil if none could be built.
    public let request: URLRequest?
    /// The head of the last response, or nil without one.
    public let head: ResponseHead?
    /// The error, or nil for a response that the task accepts.
    public let error: BluebonnetError?
    /// The metrics of the attempt's exchanges, or nil if nothing was sent.
    public let metrics: TaskMetrics?
    /// The span of the attempt; nil without a tracer.
    let span: (any AttemptSpan)?
    /// The attributes, once a monitor has asked for them.
    private let known = Known()

    /// Creates a summary, for example in a test of a monitor.
    public init(
        request: URLRequest?, head: ResponseHead? = nil, error: BluebonnetError? = nil,
        metrics: TaskMetrics? = nil
    ) {
        self.init(request: request, head: head, error: error, metrics: metrics, span: nil)
    }

    init(
        request: URLRequest?, head: ResponseHead?, error: BluebonnetError?, metrics: TaskMetrics?,
        span: (any AttemptSpan)?
    ) {
        (self.request, self.head, self.error, self.metrics) = (request, head, error, metrics)
        self.span = span
    }

    private final class Known: Sendable {
        let attributes = Locked<AttemptAttributes?>(nil)
    }

    /// Returns the attributes, which are made once for all monitors.
    func attributes(of event: TaskEvent) -> AttemptAttributes {
        known.attributes.withLock { known in
            let attributes =
                known
                ?? AttemptAttributes(
                    self, attempt: event.attempt, tag: event.task.attributes.tag)
            known = attributes
            return attributes
        }
    }
}

extension TaskEvent {
    /// What the attempt that has ended was about and how it went; nil for other events.
    ///
    /// They are made on first use, and shared by all monitors.
    public var attemptAttributes: AttemptAttributes? {
        guard case .endedAttempt(let summary) = kind else { return nil }
        return summary.attributes(of: self)
    }
}
