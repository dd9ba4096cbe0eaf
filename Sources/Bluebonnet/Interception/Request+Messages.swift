import BluebonnetTransport
import Foundation
import FoundationNetworking

extension Request {
    /// The properties of a request that decide whether it can safely be sent twice.
    struct Message {
        let method: String
        let hasIdempotencyKey: Bool
    }

    /// The requests sent in all attempts, or the next one if none was sent.
    var messages: [Message] {
        let (sent, request) = delegate.state.withLock { ($0.sentRequests, $0.attempt.request) }
        guard sent.isEmpty else {
            return sent.map { Message(method: $0.method, fields: $0.sentFields) }
        }
        let key = request?.value(forHTTPHeaderField: "Idempotency-Key") ?? ""
        return [Message(method: request?.httpMethod ?? "GET", hasIdempotencyKey: !key.isEmpty)]
    }

    /// Returns whether an error and the task's state show that no attempt sent anything.
    func isUnsent(_ error: any Error) -> Bool {
        guard let error = error as? BluebonnetError else { return false }
        guard error.context.isRepeatable != nil else { return error.isOfUnsentRequest }
        return delegate.state.withLock { !$0.mayHaveArrived }
    }

    /// The URL of the current attempt after its adapters ran, before redirects.
    var adaptedURL: URL? { delegate.state.withLock { $0.adaptedURL } }
}

extension Request.Message {
    fileprivate init(method: String, fields: [Exchange.Field]) {
        self.method = method
        hasIdempotencyKey = fields.contains {
            $0.name.caseInsensitiveEquals("Idempotency-Key") && !$0.value.isEmpty
        }
    }
}

extension TaskState {
    /// The requests of all exchanges, in order.
    var sentRequests: [SentRequest] {
        rare.formerlySent + [exchange.sent].compactMap(\.self)
    }

    /// The URL of the current attempt after its adapters ran, before redirects.
    var adaptedURL: URL? {
        let (sent, first) = (sentRequests, attempt.formerExchangeCount)
        return sent.indices.contains(first) ? sent[first].location : attempt.request?.url
    }
}
