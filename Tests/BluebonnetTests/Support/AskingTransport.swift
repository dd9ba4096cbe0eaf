import BluebonnetTesting
import BluebonnetTransport

import Bluebonnet

/// A stub behind a transport that asks what to store of each response, as a cache does.
final class AskingTransport: Transport {
    let stub = StubTransport()
    /// Whether each exchange had something to ask.
    let hasQuestion = Recorder<Bool>()
    /// The answers, or the proposals of exchanges that had nothing to ask.
    let stored = Recorder<CachedResponse?>()
    /// The questions that wait for the test, with their proposals, instead of being asked at once.
    let held = Locked<[(ask: CachedResponse.Hook, proposed: CachedResponse)]>([])
    private let holdsQuestions: Bool

    init(holdsQuestions: Bool = false) { self.holdsQuestions = holdsQuestions }

    func transfer(
        for exchange: Exchange, reportingTo sink: any ExchangeSink
    ) -> any Transfer {
        let (url, question) = (exchange.url, exchange.willCacheResponse)
        hasQuestion.add(question != nil)
        return stub.transfer(for: exchange, reportingTo: sink) { [self] report in
            guard let head = report.head else { return }
            let proposed = CachedResponse(
                url: url, statusCode: head.statusCode, fields: head.fields)
            guard let question else { return stored.add(proposed) }
            guard !holdsQuestions else {
                return held.withLock { $0.append((question, proposed)) }
            }
            switch question {
            case .decide(let decide): Task { [stored] in stored.add(await decide(proposed)) }
            case .observe(let observe):
                observe(proposed)
                stored.add(proposed)
            }
        }
    }

    /// Asks the first question that waits, and returns its answer.
    func askHeld() async -> CachedResponse? {
        guard let first = held.withLock({ $0.first }) else { return nil }
        switch first.ask {
        case .decide(let decide): return await decide(first.proposed)
        case .observe(let observe):
            observe(first.proposed)
            return first.proposed
        }
    }
}
