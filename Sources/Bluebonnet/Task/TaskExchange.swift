import BluebonnetTransport
import Foundation

/// One exchange of a task: the request that was sent, and the response so far.
///
/// The next exchange begins with a new value.
struct TaskExchange {
    /// The number of the exchange in its task, by which reports of former exchanges are recognized.
    var number = 0
    var sent: SentRequest?
    /// Whether it resends a request that was lost with its connection, which happens only once.
    var isResent = false
    var head: ResponseHead?
    /// The error of the last judge that was applied to the head, if it refused the head.
    var verdict: BluebonnetError?
    /// The number of judges, with the serializer first, that no longer have to judge the head.
    var judgedCount = 0
    var role = ResponseRole.final
    /// Whether the head was accepted, so that the body goes to the task's destination.
    var isFlowing = false
    /// Whether the task's own handler was called with the head.
    var isHeadTold = false
    /// Whether the rest of a redirect's or a challenge's body waits until the next step is decided.
    var isHeld = false
    /// Whether the response is discarded, because the request is sent again.
    var isGivenUp = false
    /// Whether the exchange has ended: the transport has reported its end, or is no longer expected
    /// to.
    var hasEnded = false
    /// Whether the transport failed to report the end.
    var isEndMissing = false
    /// The number of body bytes that arrived and were not discarded.
    var bodySize = 0
    /// The number of bytes of a redirect or challenge that were reported as consumed, but can still
    /// be delivered.
    private var earlyCount = 0
    /// The trailer fields; nil if there are none.
    var trailers: [Exchange.Field]?
    /// The body of a response that is refused, or that is collected in memory.
    var body = BodyCollector()
}

extension TaskExchange {
    /// Counts consumed bytes, and returns how many of them to report; each byte is reported once.
    mutating func consume(_ count: Int, isEarly: Bool = false) -> Int {
        if isEarly {
            earlyCount += count
            return count
        }
        let known = min(count, earlyCount)
        earlyCount -= known
        return count - known
    }
}

/// The role of a response in its task.
enum ResponseRole: Sendable {
    /// The response that the task was created for.
    case final
    case redirect
    case challenge
    /// A response about whose head the task's own handler is asked first.
    case held
    /// A response with an error status, about which retriers are asked before a stream's reader
    /// gets it.
    case doubtful
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
