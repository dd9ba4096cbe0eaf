import Bluebonnet

/// An exchange that a cassette answers, or that goes on to be recorded.
final class CassetteTransfer: Transfer {
    enum Answer: Sendable {
        case interaction(Interaction)
        case failure(Exchange.Failure)
        /// The transfer of the exchange, made for a sink.
        case transfer(@Sendable (Exchange, any ExchangeSink) -> any Transfer)
    }

    private struct State {
        /// What records the exchange.
        var below: (any Transfer)?
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

    /// Makes a transfer that asks `answer` once the request's body is there.
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
        reading.readBody { [self] in respond(to: $0) }
    }

    func cancel() { end { $0.cancel() } }
    func abort() { end { $0.abort() } }

    private func end(_ endBelow: (any Transfer) -> Void) {
        let below = state.withLock { state in
            state.isCancelled = true
            return state.below
        }
        reading.cancel()
        player.cancel()
        front.cancel()
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
        var request = RecordedRequest(
            method: exchange.method, url: exchange.url, fields: exchange.fields)
        let data: Data
        do throws(Exchange.Failure) {
            data = try body.get()
        } catch {
            // A real exchange would end with that too, and has used up its interaction.
            request.body = nil
            _ = answer(request)
            return front.fail(error)
        }
        request.body?.data = data
        switch answer(request) {
        case .interaction(let interaction):
            reportSending(of: data)
            player.add(interaction.steps(answering: exchange))
        case .failure(let failure):
            front.fail(failure)
        case .transfer(let make):
            begin(make(exchange.withBody(data), FrontSink(front, sink)))
        }
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
            // It may have been resumed meanwhile. If it is suspended once more, that only holds back the front.
            if !self.state.withLock({ $0.isSuspended }) { below.resume() }
        }
        below.begin()
    }
}

/// Brings the reports of the exchange below to the one in front of it.
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
    /// The exchange with its body in memory, since its source can be read only once.
    fileprivate func withBody(_ data: Data) -> Self {
        guard case .stream(var stream)? = body else { return self }
        // A stream as before, so that it is sent with the same length or in chunks.
        stream.isReplayable = true
        stream.mayBlock = false
        stream.open = { DataSource(data) }
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
