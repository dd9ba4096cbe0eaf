public import BluebonnetTransport
public import Foundation
public import FoundationNetworking

/// A tracer that sends W3C Trace Context with each attempt, and passes spans to a closure.
///
/// ```swift
/// var configuration = SessionConfiguration.default
/// configuration.tracer = TraceContextTracer { span in
///     print(span.context.traceID, span.name, span.endDate.timeIntervalSince(span.startDate))
/// }
/// ```
///
/// The attempts of a task are siblings: each has a span of its own, below the one that the task
/// belongs to. Without one, the task begins a trace.
public struct TraceContextTracer: AttemptTracer {
    private let parent: @Sendable () -> TraceContext?
    private let onEnd: (@Sendable (FinishedSpan) -> Void)?

    /// Creates a tracer.
    ///
    /// - Parameters:
    ///   - parent: Returns what a task belongs to, on the thread that resumes it, by default
    ///     ``TraceContext/current``. A valid `traceparent` of the request, or the task's
    ///     ``TaskAttributes/traceContext``, takes its place.
    ///   - onEnd: Called with each span that ends and is sampled, on a queue that nothing else uses.
    public init(
        parent: @escaping @Sendable () -> TraceContext? = { TraceContext.current },
        onEnd: @escaping @Sendable (FinishedSpan) -> Void
    ) {
        (self.parent, self.onEnd) = (parent, onEnd)
    }

    /// Creates a tracer that only sends the context.
    public init() {
        (parent, onEnd) = ({ TraceContext.current }, nil)
    }

    /// Notes the span that the task belongs to, or begins a trace.
    public func taskWillStart(_ attributes: inout TaskAttributes) {
        guard attributes.traceContext == nil else { return }
        if let parent = parent() {
            attributes.traceContext = parent
        } else {
            attributes[NewTraceKey.self] = TraceContext()
        }
    }

    /// Starts a span with an ID of its own.
    public func startSpan(
        for request: URLRequest, attempt: Int, attributes: TaskAttributes, at date: Date
    ) -> any AttemptSpan {
        let parent =
            TraceContext(
                traceparent: request.value(forHTTPHeaderField: "traceparent"),
                tracestate: request.value(forHTTPHeaderField: "tracestate"))
            ?? attributes.traceContext
        let trace = parent ?? attributes[NewTraceKey.self] ?? TraceContext()
        return Span(
            context: trace.makeChild(), parentSpanID: parent?.spanID, startDate: date, onEnd: onEnd)
    }

    /// The trace that a task has begun.
    private enum NewTraceKey: TaskAttributeKey {
        static var defaultValue: TraceContext? { nil }
    }

    private struct Span: AttemptSpan {
        let context: TraceContext
        let parentSpanID: String?
        let startDate: Date
        let onEnd: (@Sendable (FinishedSpan) -> Void)?

        var fields: [(name: String, value: String)] {
            // Without a state, that of an invalid `traceparent` is not sent either.
            [("traceparent", context.traceparent), ("tracestate", context.state)]
        }

        func end(_ attributes: AttemptAttributes, error: BluebonnetError?, at date: Date) {
            guard context.isSampled, let onEnd else { return }
            onEnd(
                FinishedSpan(
                    context: context, parentSpanID: parentSpanID, startDate: startDate,
                    // A wall clock can jump.
                    endDate: max(startDate, date), attributes: attributes,
                    failure: error.map { "\($0)" }))
        }
    }
}

/// The span of an attempt that has ended.
public struct FinishedSpan: Sendable {
    /// The span's own place in the trace, which the attempt has sent.
    public let context: TraceContext
    /// The ID of the span above it; nil if the task began the trace.
    public let parentSpanID: String?
    /// When the attempt began, by the configuration's clock.
    public let startDate: Date
    /// When the attempt ended, never before it began.
    public let endDate: Date
    /// What the attempt was about and how it went, without secrets.
    public let attributes: AttemptAttributes
    /// The error's description, without secrets.
    public let failure: String?

    /// The method, as OpenTelemetry names spans of clients, or `HTTP` for one that is not registered.
    public var name: String { attributes.method == "_OTHER" ? "HTTP" : attributes.method }
}

extension TaskAttributes {
    /// The span that the task belongs to, for a ``TraceContextTracer``.
    ///
    /// The default is nil, and the tracer's own parent once the task has started.
    public var traceContext: TraceContext? {
        get { self[TraceContextKey.self] }
        set { self[TraceContextKey.self] = newValue }
    }

    private enum TraceContextKey: TaskAttributeKey {
        static var defaultValue: TraceContext? { nil }
    }
}
