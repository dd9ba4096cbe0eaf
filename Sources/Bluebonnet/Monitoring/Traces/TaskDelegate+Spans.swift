import BluebonnetTransport
import Dispatch
import Foundation
import FoundationNetworking

extension PreparationStage {
    /// Starts the span of an attempt, and adds its fields to the request.
    ///
    /// The attempt cannot end meanwhile: on the thread that resumes the task, as on the callback
    /// queue, a cancel waits.
    func startSpan(
        _ tracer: any AttemptTracer, for request: inout URLRequest, attempt: Int
    ) {
        let span = OpenSpan(
            tracer.startSpan(
                for: request, attempt: attempt, attributes: delegate.attributes,
                at: session.clock.date))
        for field in span.fields {
            request.setField(field.name, to: field.value.isEmpty ? nil : field.value)
        }
        state.withLock { $0.rare.span = span }
    }
}

extension TaskDelegate {
    /// Returns a request of the current attempt without what differs in each attempt.
    package func withoutSpan(_ request: URLRequest) -> URLRequest {
        guard session.configuration.tracer != nil,
            let span = state.withLock({ $0.rare.span })
        else { return request }
        var request = request
        for field in span.fields { request.setField(field.name, to: nil) }
        return request
    }
}

extension TaskEventAudience {
    /// Ends spans on a queue of their own, so that neither tasks nor monitors wait for an exporter.
    func addSpans() {
        _ = add(
            interests: .endedAttempt,
            queue: DispatchQueue(label: "bluebonnet.spans", qos: .utility)
        ) { events in
            for event in events {
                guard case .endedAttempt(let summary) = event.kind, let span = summary.span else {
                    continue
                }
                span.span.end(summary.attributes(of: event), error: summary.error, at: event.date)
            }
        }
    }
}
