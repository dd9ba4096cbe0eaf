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
        let span: OpenSpan?
        /// The URL of the first exchange, if redirects have led to another one.
        let firstURL: URL?
        /// Whether the outcome is that of another task.
        let isShared: Bool
        /// The attributes, once a monitor has asked for them.
        let attributes = Locked<AttemptAttributes?>(nil)

        init(
            _ request: URLRequest?, _ head: ResponseHead?, _ error: BluebonnetError?,
            _ metrics: TaskMetrics?, _ span: OpenSpan?, _ firstURL: URL?,
            _ isShared: Bool
        ) {
            (self.request, self.head, self.error) = (request, head, error)
            (self.metrics, self.span, self.firstURL) = (metrics, span, firstURL)
            self.isShared = isShared
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
    var span: OpenSpan? { contents.span }
    /// Whether the outcome is that of another task, and nothing was sent.
    var isShared: Bool { contents.isShared }
    /// The URL that the attempt was sent to, before redirects.
    var url: URL? { contents.firstURL ?? contents.request?.url }

    /// Creates a summary, for example in a test of a monitor.
    public init(
        request: URLRequest?, head: ResponseHead? = nil, error: BluebonnetError? = nil,
        metrics: TaskMetrics? = nil
    ) {
        contents = Contents(request, head, error, metrics, nil, nil, false)
    }

    init(
        _ request: URLRequest?, _ head: ResponseHead?, _ error: BluebonnetError?,
        _ metrics: TaskMetrics?, _ span: OpenSpan?, firstURL: URL?,
        isShared: Bool
    ) {
        contents = Contents(request, head, error, metrics, span, firstURL, isShared)
    }

    /// Returns the attributes, which are made once for all monitors.
    func attributes(of event: TaskEvent) -> AttemptAttributes {
        if let known = contents.attributes.withLock({ $0 }) { return known }
        let attributes = AttemptAttributes(self, of: event)
        contents.attributes.withLock { $0 = attributes }
        return attributes
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
