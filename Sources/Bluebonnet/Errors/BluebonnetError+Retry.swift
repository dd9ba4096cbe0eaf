import BluebonnetTransport
import FoundationNetworking

extension BluebonnetError {
    /// Whether the request can be sent again without being processed twice: nothing was sent of it, or each
    /// request that the task has sent is idempotent (RFC 9110 section 9.2.2) or has an `Idempotency-Key`.
    ///
    /// It does not say that another try ends otherwise. A transport that does not say whether anything was
    /// sent, by ``Exchange/End/wasSent``, counts as having sent it. Of an error that is no task's it goes by
    /// the case and the method of the context's request.
    public var isSafeToRetry: Bool {
        if let known = context.isRepeatable { return known }
        if isOfUnsentRequest { return true }
        guard let request = context.request else { return false }
        let key = request.value(forHTTPHeaderField: "Idempotency-Key")
        return Exchange.isIdempotent(
            method: request.httpMethod ?? "GET",
            fields: key.map { [Exchange.Field(name: "Idempotency-Key", value: $0)] } ?? [])
    }

    /// Whether errors of this case arise before anything is sent in an attempt.
    var isOfUnsentRequest: Bool {
        switch self {
        case .invalidRequest, .adaptation, .securityPolicy, .sessionInvalidated: true
        default: false
        }
    }
}

extension TaskState {
    /// Whether what was sent can be sent again without being processed twice.
    var isRepeatable: Bool {
        guard mayHaveArrived else { return true }
        return (formerlySent + [exchange.sent].compactMap(\.self)).allSatisfy(\.isIdempotent)
    }

    /// Whether a server may have seen a request.
    var mayHaveArrived: Bool {
        // An exchange that was given up may not have told.
        ends.count < exchange.number || ends.all.contains { $0.wasSent != false }
    }
}
