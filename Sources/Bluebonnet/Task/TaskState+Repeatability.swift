import BluebonnetTransport

extension TaskState {
    /// Whether the requests that were sent can be sent again without being processed twice.
    var isRepeatable: Bool {
        guard mayHaveArrived else { return true }
        return (rare.formerlySent + [exchange.sent].compactMap(\.self)).allSatisfy(\.isIdempotent)
    }

    /// Whether the server can have received a request and processed it.
    var mayHaveArrived: Bool {
        // An exchange that was abandoned has not necessarily reported its end.
        ends.count < exchange.number
            || ends.all.contains { $0.wasSent != false && $0.failure?.isUnprocessed != true }
    }
}
