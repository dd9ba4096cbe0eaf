import Bluebonnet
import BluebonnetTesting
import Foundation

/// A server without sockets, which counts its requests and answers them as a test says.
final class Origin: Transport {
    struct Answer: Sendable {
        var status = 200
        var fields: [Exchange.Field] = []
        var body = ""
        var failure: Exchange.Failure?
        /// Whether the head and the body arrive before the failure.
        var isCut = false

        init(_ status: Int = 200, _ fields: [String: String] = [:], body: String = "") {
            self.status = status
            self.fields = fields.map { Exchange.Field(name: $0.key, value: $0.value) }
            self.body = body
        }

        static func failure(_ code: URLError.Code) -> Self {
            var answer = Self()
            answer.failure = Exchange.Failure(code, message: "the test's failure")
            return answer
        }
    }

    private struct State {
        var answer: @Sendable (Exchange, Int) -> Answer
        var requests: [Exchange] = []
        var held: [AnsweringTransfer] = []
        var isHolding = false
        var cancelCount = 0
        var consumedCount = 0
        var abortCount = 0
    }

    private let state: Locked<State>

    /// Creates a server whose closure receives each request and its number, from 1.
    init(_ answer: @escaping @Sendable (Exchange, Int) -> Answer = { _, _ in Answer() }) {
        state = Locked(State(answer: answer))
    }

    func answers(_ answer: @escaping @Sendable (Exchange, Int) -> Answer) {
        state.withLock { $0.answer = answer }
    }

    var answer: @Sendable (Exchange, Int) -> Answer { state.withLock { $0.answer } }
    var requests: [Exchange] { state.withLock { $0.requests } }
    var last: Exchange? { requests.last }
    var cancelCount: Int { state.withLock { $0.cancelCount } }
    var abortCount: Int { state.withLock { $0.abortCount } }
    /// The bytes of all bodies that callers are done with.
    var consumedCount: Int { state.withLock { $0.consumedCount } }

    /// Holds the answers to further requests back.
    func hold() { state.withLock { $0.isHolding = true } }

    /// Answers the requests that were held back, and all further ones at once.
    ///
    /// - Parameter excluded: A transfer that the test answers itself.
    func release(except excluded: AnsweringTransfer? = nil) {
        let held = state.withLock { state in
            state.isHolding = false
            defer { state.held = [] }
            return state.held.filter { $0 !== excluded }
        }
        for transfer in held { reply(to: transfer) }
    }

    /// The transfers that are held back.
    var held: [AnsweringTransfer] { state.withLock { $0.held } }

    func transfer(for exchange: consuming Exchange, reportingTo sink: any ExchangeSink)
        -> any Transfer
    {
        // What is held back does not keep a manual clock from advancing.
        if state.withLock({ $0.isHolding }) { exchange.takeOverWork() }
        let transfer = AnsweringTransfer(exchange, reportingTo: sink) { [self] transfer in
            let isHeld = state.withLock { state in
                state.requests.append(transfer.exchange)
                if state.isHolding { state.held.append(transfer) }
                return state.isHolding
            }
            if !isHeld { reply(to: transfer) }
        }
        return CountedTransfer(
            transfer,
            cancelled: { [weak self] aborts in
                self?.state.withLock { state in
                    state.cancelCount += 1
                    if aborts { state.abortCount += 1 }
                }
            },
            consumed: { [weak self] count in self?.state.withLock { $0.consumedCount += count } })
    }

    private func reply(to transfer: AnsweringTransfer) {
        let (answer, count) = state.withLock { ($0.answer, $0.requests.count) }
        let reply = answer(transfer.exchange, count)
        if let failure = reply.failure {
            if reply.isCut {
                let head = Exchange.Head(statusCode: reply.status, fields: reply.fields)
                let chunk = Exchange.Chunk(Data(reply.body.utf8))
                transfer.report(Exchange.Report(head: head, body: [chunk]))
            }
            return transfer.fail(failure)
        }
        let hasBody = transfer.exchange.method != "HEAD" && ![204, 304].contains(reply.status)
        transfer.reply(
            reply.status, fields: reply.fields, body: hasBody ? Data(reply.body.utf8) : Data())
    }
}

private final class CountedTransfer: Transfer {
    private let transfer: AnsweringTransfer
    private let cancelled: @Sendable (_ aborts: Bool) -> Void
    private let consumed: @Sendable (Int) -> Void

    init(
        _ transfer: AnsweringTransfer, cancelled: @escaping @Sendable (Bool) -> Void,
        consumed: @escaping @Sendable (Int) -> Void
    ) {
        (self.transfer, self.cancelled, self.consumed) = (transfer, cancelled, consumed)
    }

    func begin() { transfer.begin() }
    func cancel() { cancel(aborts: false) }
    func abort() { cancel(aborts: true) }

    private func cancel(aborts: Bool) {
        if !transfer.isOver { cancelled(aborts) }
        transfer.cancel()
    }
    func suspend() { transfer.suspend() }
    func resume() { transfer.resume() }
    func didConsume(_ count: Int) {
        consumed(count)
        transfer.didConsume(count)
    }
}

/// What a caller has received.
final class Caller: ExchangeSink {
    struct Received: Sendable {
        var head: Exchange.Head?
        var body = Data()
        var end: Exchange.End?
        var endCount = 0
        var headCount = 0
    }

    private let state = Locked(Received())
    private let (ended, end) = AsyncStream<Void>.makeStream()

    var received: Received { state.withLock { $0 } }

    func receive(_ report: consuming Exchange.Report) {
        let report = report
        state.withLock { state in
            if let head = report.head {
                state.head = head
                state.headCount += 1
            }
            for chunk in report.body { state.body += chunk.data }
            if let end = report.end {
                state.end = end
                state.endCount += 1
            }
        }
        if report.end != nil { end.finish() }
    }

    /// Waits for the end.
    func result() async -> Received {
        for await _ in ended {}
        return received
    }
}

extension Caller.Received {
    var status: Int? { head?.statusCode }
    var text: String { String(decoding: body, as: UTF8.self) }
    var failure: Exchange.Failure? { end?.failure }
    subscript(name: String) -> String? { head?[name] }
    /// What the cache says of the response, the last member of `Cache-Status`.
    var cache: CacheStatus? {
        head.map { head in
            ResponseHead(
                statusCode: head.statusCode,
                headers: HTTPHeaders(
                    head.fields.map { HTTPHeader(name: $0.name, value: $0.value) }),
                url: URL(fileURLWithPath: "/"))
        }?.cacheStatuses.last
    }
    var isHit: Bool { cache?.isHit == true }
}
