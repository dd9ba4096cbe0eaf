#if DistributedTracing
public import Bluebonnet
public import Tracing

/// A tracer that starts the spans of attempts with a `Tracer`.
///
/// ```swift
/// var configuration = SessionConfiguration()
/// configuration.tracer = DistributedTracer()
/// ```
///
/// The parent is the `ServiceContext` of the Swift task that resumes a task. A span has the name of
/// the method, the kind `client`, and the attributes ``AttemptAttributes/values``. Its status is an
/// error for a failed attempt and for a status code of 400 or more. Its context is injected into the
/// fields of the request.
public struct DistributedTracer: AttemptTracer {
    private let tracer: (any Tracer)?

    /// Creates a tracer.
    ///
    /// - Parameter tracer: Starts the spans. If nil, the default, it is that of the
    ///   `InstrumentationSystem` when an attempt starts.
    public init(_ tracer: (any Tracer)? = nil) { self.tracer = tracer }

    /// Notes the context of the current Swift task.
    public func taskWillStart(_ attributes: inout TaskAttributes) {
        attributes[ParentKey.self] = ServiceContext.current
    }

    /// Starts the span of an attempt.
    public func startSpan(
        for request: URLRequest, attempt: Int, attributes: TaskAttributes, at date: Date
    ) -> any AttemptSpan {
        let instrument: any Instrument = tracer ?? InstrumentationSystem.instrument
        let span = (tracer ?? InstrumentationSystem.tracer).startSpan(
            request.httpMethod ?? "GET", context: attributes[ParentKey.self] ?? .topLevel,
            ofKind: .client, at: date.instant)
        var fields: [(name: String, value: String)] = []
        instrument.inject(span.context, into: &fields, using: FieldInjector())
        return TracedAttempt(span: span, fields: fields, startDate: date)
    }
}

private enum ParentKey: TaskAttributeKey {
    static var defaultValue: ServiceContext? { nil }
}

private struct FieldInjector: Injector {
    func inject(
        _ value: String, forKey key: String, into carrier: inout [(name: String, value: String)]
    ) {
        carrier.append((key, value))
    }
}

private struct TracedAttempt: AttemptSpan {
    let span: any Span
    let fields: [(name: String, value: String)]
    let startDate: Date

    func end(_ attributes: AttemptAttributes, error: BluebonnetError?, at date: Date) {
        // As OpenTelemetry names the span of a method that is not registered.
        if attributes.method == "_OTHER" { span.operationName = "HTTP" }
        var spanAttributes = span.attributes
        for (name, value) in attributes.values { spanAttributes[name] = value.ofSpan }
        span.attributes = spanAttributes
        if let error {
            // Not recorded as an error, because the request in its context can have secrets. A body can have
            // data of users.
            span.setStatus(SpanStatus(code: .error, message: error.failureReason))
        } else if let code = attributes.statusCode, code >= 400 {
            span.setStatus(SpanStatus(code: .error))
        }
        // A wall clock can jump.
        span.end(at: max(startDate, date).instant)
    }
}

extension AttemptAttributes.Value {
    fileprivate var ofSpan: SpanAttribute {
        switch self {
        case .text(let text): .string(text)
        case .integer(let number): .int64(number)
        case .number(let number): .double(number)
        case .flag(let flag): .bool(flag)
        }
    }
}

extension Date {
    fileprivate var instant: DefaultTracerClock.Timestamp {
        // The latest date that fits is in the year 2262.
        let nanoseconds = min(max(0, timeIntervalSince1970 * 1e9), 9e18)
        return DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: UInt64(nanoseconds))
    }
}
#endif
