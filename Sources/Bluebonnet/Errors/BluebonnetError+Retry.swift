import BluebonnetTransport
import FoundationNetworking

extension BluebonnetError {
    /// Whether the request can be sent again without being processed twice: nothing was sent of it, or each
    /// request that the task has sent is idempotent (RFC 9110 section 9.2.2).
    ///
    /// It does not say that another try ends otherwise. A transport that does not say whether anything was
    /// sent, by ``Exchange/End/wasSent``, counts as having sent it. Of an error that is no task's it goes by
    /// the case and the method of the context's request.
    public var isSafeToRetry: Bool {
        if let known = context.isRepeatable { return known }
        switch self {
        case .invalidRequest, .securityPolicy, .sessionInvalidated: return true
        default:
            let method = context.request.map { HTTPMethod(rawValue: $0.httpMethod ?? "GET") }
            return method?.isIdempotent == true
        }
    }
}

extension TaskState {
    /// Whether what was sent can be sent again without being processed twice.
    var isRepeatable: Bool {
        guard mayHaveArrived else { return true }
        return (formerlySent + [exchange.sent].compactMap(\.self)).allSatisfy {
            HTTPMethod(rawValue: $0.method).isIdempotent
        }
    }

    /// Whether a server may have seen a request.
    private var mayHaveArrived: Bool {
        guard exchange.number > 0 else { return false }
        guard exchange.number == 1, exchange.head == nil, let end = ends.last else { return true }
        return end.wasSent != false
    }
}
