public import BluebonnetTransport
public import Foundation
public import FoundationNetworking

/// Starts a span for each attempt of a manager's tasks.
///
/// Set one as ``SessionConfiguration/tracer``. ``TraceContextTracer`` needs no other package.
public protocol AttemptTracer: Sendable {
    /// Notes what a task belongs to, for all of its attempts.
    ///
    /// Called on the thread that resumes the task, where the caller's task-local values can be read,
    /// and before anything is sent. It must not block.
    func taskWillStart(_ attributes: inout TaskAttributes)

    /// Starts the span of an attempt.
    ///
    /// Called before the adapters, so that signers sign the span's fields, on the thread that resumes
    /// the task or, for later attempts, on the callback queue. It must not block.
    ///
    /// - Parameters:
    ///   - request: The request before adapters.
    ///   - attempt: The number of the attempt, from 1.
    ///   - attributes: The attributes of the task.
    ///   - date: The date, by the configuration's clock.
    /// - Returns: The span, which ends with the attempt.
    func startSpan(
        for request: URLRequest, attempt: Int, attributes: TaskAttributes, at date: Date
    ) -> any AttemptSpan
}

/// The span of an attempt, including its redirects and challenges.
public protocol AttemptSpan: Sendable {
    /// The fields that carry the span's context, which replace those of the request.
    ///
    /// One with an empty value removes that of the request.
    ///
    /// They do not follow a redirect to another origin, unless
    /// ``SessionConfiguration/keepsTraceContextAcrossOrigins`` is true.
    var fields: [(name: String, value: String)] { get }

    /// Ends the span.
    ///
    /// Called once, on a queue that only the ends of a manager's spans use.
    ///
    /// - Parameters:
    ///   - attributes: How the attempt went, without secrets.
    ///   - error: The error, or nil for a response that the task accepts.
    ///   - date: The date, by the configuration's clock.
    func end(_ attributes: AttemptAttributes, error: BluebonnetError?, at date: Date)
}

/// The span of an attempt that has not ended, with its fields, which are read once.
struct OpenSpan: Sendable {
    let span: any AttemptSpan
    let fields: [(name: String, value: String)]

    init(_ span: any AttemptSpan) {
        self.span = span
        fields = span.fields
    }

    /// The context in the span's field `traceparent`, or nil without one.
    var traceContext: TraceContext? {
        fields.first { $0.name.caseInsensitiveEquals("traceparent") }
            .flatMap { TraceContext(traceparent: $0.value, tracestate: nil) }
    }
}
