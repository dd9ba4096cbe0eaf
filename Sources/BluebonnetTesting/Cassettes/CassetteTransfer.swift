import Bluebonnet

/// An exchange that is answered from a cassette, or sent and recorded.
final class CassetteTransfer: Transfer {
    enum Answer: Sendable {
        case interaction(Interaction)
        case failure(Exchange.Failure)
        /// Creates the transfer that sends and records the exchange.
        case transfer(@Sendable (Exchange, any ExchangeSink) -> any Transfer)
    }

    private struct State {
        /// The transfer that records the exchange.
        var below: (any Transfer)?
        var hasBegun = false
        /// Whether the answer was requested, which happens once.
        var isAnswered = false
        var isCancelled = false
        var isSuspended = false
        var priority: Float?
    }

    private let exchange: Exchange
    private let answer: @Sendable (RecordedRequest) -> Answer
    private let front: AnsweringTransfer
    private let player: ReportPlayer
    private let sink: any ExchangeSink
    private let reading: ExchangeTask
    private let state = Locked(State())

    /// Creates a transfer that calls `answer` once the body of the request has been read.
    init(
        _ exchange: Exchange, reportingTo sink: any ExchangeSink,
        answer: @escaping @Sendable (RecordedRequest) -> Answer
    ) {
        self.exchange = exchange
        self.answer = answer
        self.sink = sink
        front = AnsweringTransfer(exchange, reportingTo: sink) { _ in }
        player = ReportPlayer(front)
        reading = ExchangeTask(of: exchange)
        exchange.takeOverWork()
    }

    // MARK: Control

    func begin() {
        front.begin()
        guard !front.isOver else { return }
        state.withLock { $0.hasBegun = true }
        reading.readBody { [self] in respond(to: $0) }
    }

    func cancel() { end { $0.cancel() } }
    func abort() { end { $0.abort() } }

    private func end(_ endBelow: (any Transfer) -> Void) {
        let (below, hasBegun) = state.withLock { state in
            state.isCancelled = true
            return (state.below, state.hasBegun)
        }
        player.cancel()
        front.cancel()
        // Claims the interaction even while the body is being read, so that `verify()` is exact.
        // The reading would claim it on its own thread, and later.
        if hasBegun { respond(to: .failure(.cancelled)) }
        reading.cancel()
        below.map(endBelow)
    }

    func suspend() {
        let below = state.withLock { state in
            state.isSuspended = true
            return state.below
        }
        player.suspend()
        front.suspend()
        below?.suspend()
    }

    func resume() {
        let below = state.withLock { state in
            state.isSuspended = false
            return state.below
        }
        player.resume()
        front.resume()
        below?.resume()
    }

    func didConsume(_ count: Int) {
        front.didConsume(count)
        state.withLock { $0.below }?.didConsume(count)
    }

    func setPriority(_ priority: Float) {
        let below = state.withLock { state in
            state.priority = priority
            return state.below
        }
        below?.setPriority(priority)
    }

    // MARK: The answer

    private func respond(to body: Result<Data, Exchange.Failure>) {
        let isFirst = state.withLock { state in
            defer { state.isAnswered = true }
            return !state.isAnswered
        }
        guard isFirst else { return }
        var request = RecordedRequest(
            method: exchange.method, url: exchange.url, fields: exchange.fields)
        let data: Data
        do throws(Exchange.Failure) {
            data = try body.get()
        } catch {
            return respond(to: request, withoutBody: error)
        }
        request.body?.data = data
        switch answer(request) {
        case .interaction(let interaction):
            reportSending(of: data)
            player.add(interaction.steps(answering: exchange))
        case .failure(let failure):
            front.fail(failure)
        case .transfer(let make):
            begin(make(exchange.withBody { DataSource(data) }, FrontSink(front, sink)))
        }
    }

    /// Answers a request whose body could not be read.
    ///
    /// A real exchange also ends with this failure, and uses up its interaction.
    private func respond(to request: RecordedRequest, withoutBody failure: Exchange.Failure) {
        var request = request
        request.body = nil
        guard case .transfer(let make) = answer(request) else { return front.fail(failure) }
        let unreadable = exchange.withBody { () throws(Exchange.Failure) in throw failure }
        let below = make(unreadable, FrontSink(front, sink))
        guard state.withLock({ $0.isCancelled }) else { return begin(below) }
        // An exchange that is canceled before it begins is not recorded.
        below.begin()
        below.abort()
    }

    private func reportSending(of body: Data) {
        guard exchange.reportsSending, !body.isEmpty else { return }
        front.report(Exchange.Report(sentBodyBytes: Int64(body.count)))
    }

    private func begin(_ below: any Transfer) {
        let state = state.withLock { state in
            if !state.isCancelled { state.below = below }
            return state
        }
        guard !state.isCancelled else { return }
        if let priority = state.priority { below.setPriority(priority) }
        if state.isSuspended {
            below.suspend()
            // It might have been resumed meanwhile. A later suspension only holds back the front.
            if !self.state.withLock({ $0.isSuspended }) { below.resume() }
        }
        below.begin()
    }
}

/// A sink that passes the reports of the transfer below to the transfer in front of it.
private final class FrontSink: ExchangeSink {
    private let front: AnsweringTransfer
    private let sink: any ExchangeSink

    init(_ front: AnsweringTransfer, _ sink: any ExchangeSink) {
        self.front = front
        self.sink = sink
    }

    func receive(_ report: consuming Exchange.Report) { front.report(report) }
    func gather(_ deliver: () -> Void) { sink.gather(deliver) }
}

extension Exchange {
    /// Returns the exchange with another source for its body, because its own can be read only
    /// once.
    fileprivate func withBody(
        _ open: @escaping @Sendable () throws(Failure) -> any BodySource
    ) -> Self {
        guard case .stream(var stream)? = body else { return self }
        // Still a stream, so that it is sent with the same length or in chunks.
        stream.isReplayable = true
        stream.mayBlock = false
        stream.open = open
        var copy = self
        copy.body = .stream(stream)
        return copy
    }
}

private final class DataSource: BodySource {
    private let rest: Locked<Data>

    init(_ data: Data) {
        rest = Locked(data)
    }

    func read(upTo count: Int) -> Data {
        rest.withLock { rest in
            let piece = rest.prefix(count)
            rest = rest.dropFirst(count)
            return Data(piece)
        }
    }
}
