import BluebonnetTransport
import FoundationNetworking

extension BluebonnetError {
    /// Whether the request can be sent again without being processed twice: nothing was sent of it, or each
    /// request that the task has sent is idempotent (RFC 9110 section 9.2.2).
    ///
    /// It does not say that another try ends otherwise. Of an error that is no task's it goes by the case and
    /// the method of the context's request.
    public var isSafeToRetry: Bool {
        if let known = context.isRepeatable { return known }
        switch stage {
        case .request, .security, .session: return true
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
        return !end.precedesSending
    }
}

extension Exchange.End {
    /// Whether it came before anything of the request was sent.
    fileprivate var precedesSending: Bool {
        if failure?.precedesSending == true { return true }
        // A transport that measures nothing says nothing by it.
        return metrics.totalDuration > 0 && metrics.requestStartDuration == nil
            && metrics.resendCount == 0
    }
}

extension Exchange.Failure {
    fileprivate var precedesSending: Bool {
        switch code {
        case .cannotFindHost, .dnsLookupFailed, .cannotConnectToHost: true
        default:
            timeout == .connect || timeout == .queue || denial != nil || certificateFault != nil
        }
    }
}
