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

    /// Creates a summary, for example in a test of a monitor.
    public init(
        request: URLRequest?, head: ResponseHead? = nil, error: BluebonnetError? = nil,
        metrics: TaskMetrics? = nil
    ) {
        (self.request, self.head, self.error, self.metrics) = (request, head, error, metrics)
    }
}
