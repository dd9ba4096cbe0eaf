import BluebonnetTransport

/// One exchange of a task: the request that was sent, and the response so far.
///
/// The next exchange begins with a new value.
struct TaskExchange {
    /// The number of the exchange in its task, by which reports of former exchanges are recognized.
    var number = 0
    var sent: SentRequest?
    /// Whether it resends a request that was lost with its connection, which happens only once.
    var isResent = false
    var reception = Reception.awaitingHead
    /// Whether the transport has reported the end, or is no longer expected to.
    var hasEnded = false
    /// Whether the transport failed to report the end.
    var isEndMissing = false

    var head: ResponseHead? { reception.head }
}

/// Passes the reports of one exchange to its task.
final class ExchangeReports: ExchangeSink {
    private let session: SessionCore
    private let address: Int
    private let number: Int

    init(_ session: SessionCore, to address: Int, ofExchange number: Int) {
        self.session = session
        self.address = address
        self.number = number
    }

    func receive(_ report: consuming Exchange.Report) {
        session.send(.report(consume report, ofExchange: number), to: address)
    }

    func gather(_ deliver: () -> Void) { HandlerPool.shared.gather(deliver) }
}
