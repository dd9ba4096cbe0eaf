import Bluebonnet

/// An exchange with a stub: what a route answers with, at its time.
final class StubTransfer: Transfer {
    typealias Responder = @Sendable (Exchange, _ body: Data) -> StubTransport.Reply

    private struct State {
        /// The Swift task in which a route answers.
        var answering: Task<Void, Never>?
        var isCancelled = false
    }

    let exchange: Exchange
    private let readsBody: Bool
    private let responder: Responder
    private let transfer: AnsweringTransfer
    private let player: ReportPlayer
    private let work: (any WorkObservingClock)?
    private let state = Locked(State())
    private static let bodies = DispatchQueue(
        label: "bluebonnet.stub.bodies", attributes: .concurrent)

    /// Makes a transfer for which `responder` finds the answer to the exchange with its body, unless that is
    /// not read.
    init(
        _ exchange: Exchange, reportingTo sink: any ExchangeSink, readsBody: Bool = true,
        _ responder: @escaping Responder
    ) {
        self.exchange = exchange
        self.readsBody = readsBody
        self.responder = responder
        transfer = AnsweringTransfer(exchange, reportingTo: sink) { _ in }
        player = ReportPlayer(transfer)
        work = exchange.clock as? any WorkObservingClock
    }

    // MARK: Control

    func begin() {
        transfer.begin()
        guard !transfer.isOver else { return }
        guard readsBody, case .stream(let stream)? = exchange.body, stream.length != 0 else {
            return answer()
        }
        // Its source may block, or be asynchronous.
        work?.workDidBegin()
        Self.bodies.async { [self] in
            answer()
            work?.workDidEnd()
        }
    }

    func cancel() {
        let answering = state.withLock { state in
            state.isCancelled = true
            return state.answering.take()
        }
        answering?.cancel()
        player.cancel()
        transfer.cancel()
    }

    func suspend() {
        player.suspend()
        transfer.suspend()
    }

    func resume() {
        player.resume()
        transfer.resume()
    }

    func didConsume(_ count: Int) { transfer.didConsume(count) }

    // MARK: The answer

    private func answer() {
        let body: Data
        do throws(Exchange.Failure) {
            body = readsBody ? try exchange.body?.read() ?? Data() : Data()
        } catch {
            return transfer.fail(error)
        }
        if exchange.reportsSending, !body.isEmpty {
            transfer.report(Exchange.Report(sentBodyBytes: Int64(body.count)))
        }
        switch responder(exchange, body) {
        case .response(let response): play(response)
        case .closure(let request, let answer): ask(answer, request)
        }
    }

    private func ask(_ answer: @escaping StubTransport.Answer, _ request: StubRequest) {
        let task = Task(executorPreference: work?.taskExecutor) { [self] in
            let response: StubResponse
            do {
                response = try await answer(request)
            } catch {
                response = .failure(error as? Exchange.Failure ?? .routeThrew(error, request))
            }
            play(response)
        }
        let isCancelled = state.withLock { state in
            state.answering = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    private func play(_ response: StubResponse) {
        state.withLock { $0.answering = nil }
        player.add(response.steps(answering: exchange))
    }
}

extension Exchange.Failure {
    fileprivate static func routeThrew(_ error: any Error, _ request: StubRequest) -> Self {
        Self(
            .badServerResponse,
            message: """
                the stub's route for \(request) threw \(error); throw an Exchange.Failure, or answer with \
                .failure, for a failure of the transport
                """)
    }
}
