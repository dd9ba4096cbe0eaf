import BluebonnetTransport
import Foundation
public import FoundationNetworking

/// How an attempt of a task went.
public struct AttemptSummary: Sendable {
    /// An object, because a summary is copied for each monitor.
    private final class Contents: Sendable {
        let request: URLRequest?
        let head: ResponseHead?
        let error: BluebonnetError?
        let metrics: TaskMetrics?
        let span: (any AttemptSpan)?
        /// The attributes, once a monitor has asked for them.
        let attributes = Locked<AttemptAttributes?>(nil)

        init(
            _ request: URLRequest?, _ head: ResponseHead?, _ error: BluebonnetError?,
            _ metrics: TaskMetrics?, _ span: (any AttemptSpan)?
        ) {
            (self.request, self.head, self.error) = (request, head, error)
            (self.metrics, self.span) = (metrics, span)
        }
    }

    private let contents: Contents

    /// The request as it was last sent, or nil if none could be built.
    public var request: URLRequest? { contents.request }
    /// The head of the last response, or nil without one.
    public var head: ResponseHead? { contents.head }
    /// The error, or nil for a response that the task accepts.
    public var error: BluebonnetError? { contents.error }
    /// The metrics of the attempt's exchanges, or nil if nothing was sent.
    public var metrics: TaskMetrics? { contents.metrics }
    /// The span of the attempt; nil without a tracer.
    var span: (any AttemptSpan)? { contents.span }

    /// Creates a summary, for example in a test of a monitor.
    public init(
        request: URLRequest?, head: ResponseHead? = nil, error: BluebonnetError? = nil,
        metrics: TaskMetrics? = nil
    ) {
        contents = Contents(request, head, error, metrics, nil)
    }

    init(
        _ request: URLRequest?, _ head: ResponseHead?, _ error: BluebonnetError?,
        _ metrics: TaskMetrics?, _ span: (any AttemptSpan)?
    ) {
        contents = Contents(request, head, error, metrics, span)
    }

    /// Returns the attributes, which are made once for all monitors.
    func attributes(of event: TaskEvent) -> AttemptAttributes {
        contents.attributes.withLock { known in
            if let known { return known }
            let attributes = AttemptAttributes(
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
