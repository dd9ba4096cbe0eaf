import Bluebonnet

/// A span of a service, which an exporter of yours would send to its collector.
struct Span: Sendable {
    var service: String
    var name: String
    var context: TraceContext
    var parentSpanID: String?
    var seconds: Double
    var status: Int?
}

extension Span {
    /// The span of an attempt of an outgoing request.
    init(_ service: String, _ span: FinishedSpan) {
        self.init(
            service: service, name: span.name, context: span.context,
            parentSpanID: span.parentSpanID,
            seconds: span.endDate.timeIntervalSince(span.startDate),
            status: span.attributes.statusCode)
    }

    /// The span as a line.
    var json: String {
        struct Line: Encodable {
            let span, service, trace_id, span_id: String
            let parent_id: String?
            let seconds: Double
            let status: Int?
        }
        let line = Line(
            span: name, service: service, trace_id: context.traceID, span_id: context.spanID,
            parent_id: parentSpanID, seconds: seconds, status: status)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(line)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
