import BluebonnetTransport
import Foundation

/// One exchange of a task: what was sent, and what has come of its response.
///
/// The next exchange begins with another one.
struct TaskExchange {
    /// Counts a task's exchanges, so that what belongs to a former one is not taken for this one's.
    var number = 0
    var sent: SentRequest?
    /// Whether it sends once more what was lost with a connection, which is done a single time.
    var isResent = false
    var head: ResponseHead?
    /// The error of the last validator that was asked about the head, where it refused that.
    var verdict: BluebonnetError?
    /// How many have judged the head, the serializer before the validators, or need not be asked.
    var judgedCount = 0
    var role = ResponseRole.final
    /// Whether the head was accepted and the body goes where the task's flow says.
    var isFlowing = false
    /// Whether the task's own handler has heard of the head.
    var isHeadTold = false
    /// Whether so much has come of a redirect or a challenge that the rest waits for what follows.
    var isHeld = false
    /// Whether its response is given up, since the request is to be sent again.
    var isGivenUp = false
    /// Whether it is over: the transport has reported its end, or will not any more.
    var hasEnded = false
    /// Whether the transport owes the report of its end.
    var isEndMissing = false
    /// Bytes of its body that have come, and were wanted.
    var bodySize = 0
    /// Bytes of a redirect or a challenge of which the transport was told that they need no memory, though
    /// they may be delivered yet.
    private var earlyCount = 0
    /// The trailer fields; nil without any.
    var trailers: [Exchange.Field]?
    /// The body of a response that is not accepted, or that is kept in memory.
    var body = BodyCollector()
}

extension TaskExchange {
    /// Counts bytes that need no memory any more; how many of them the transport is to be told of, each once.
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

/// What a response is to its task.
enum ResponseRole: Sendable {
    /// The one that the task was made for.
    case final
    case redirect
    case challenge
    /// One about whose head the task's own handler is asked first.
    case held
    /// One with an error's status, about which retriers are asked before its reader gets it.
    case doubtful
}

/// Brings the reports of one exchange to its task.
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
