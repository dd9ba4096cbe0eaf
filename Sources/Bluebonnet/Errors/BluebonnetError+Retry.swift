import BluebonnetTransport
import FoundationNetworking

extension BluebonnetError {
    /// Whether the request can be sent again without the risk that it is processed twice.
    ///
    /// That is the case if nothing was sent, or if the server said that it did not process what was
    /// sent (``Exchange/Failure/isUnprocessed``). It is also the case if each request that the task
    /// has sent is idempotent (RFC 9110 section 9.2.2) or has an `Idempotency-Key`. The value does
    /// not predict whether another attempt succeeds.
    ///
    /// If a transport does not report ``Exchange/End/wasSent``, the request counts as sent. For an
    /// error that does not come from a task, the value depends on the case and on the method of the
    /// context's request.
    public var isSafeToRetry: Bool {
        if let known = context.isRepeatable { return known }
        if isOfUnsentRequest { return true }
        guard let request = context.request else { return false }
        let key = request.value(forHTTPHeaderField: "Idempotency-Key")
        return Exchange.isIdempotent(
            method: request.httpMethod ?? "GET",
            fields: key.map { [Exchange.Field(name: "Idempotency-Key", value: $0)] } ?? [])
    }

    /// Whether errors of this case occur before anything is sent in an attempt.
    var isOfUnsentRequest: Bool {
        switch self {
        case .invalidRequest, .adaptation, .securityPolicy, .sessionInvalidated: true
        default: false
        }
    }
}
