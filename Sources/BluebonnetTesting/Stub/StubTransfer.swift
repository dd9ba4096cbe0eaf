import Bluebonnet

/// An exchange with a stub, which reports the response of a route after its delays.
final class StubTransfer: Transfer {
    typealias Responder = @Sendable (Exchange, _ body: Data) -> StubRoute.Reply

    let exchange: Exchange
    private let readsBody: Bool
    private let responder: Responder
    private let transfer: AnsweringTransfer
    private let player: ReportPlayer
    private let answering: ExchangeTask

    /// Creates a transfer that calls `responder` with the exchange and its body.
    ///
    /// If the body is not to be read, `responder` receives no bytes.
    init(
        _ exchange: Exchange, reportingTo sink: any ExchangeSink, readsBody: Bool = true,
        _ responder: @escaping Responder
    ) {
        self.exchange = exchange
        self.readsBody = readsBody
        self.responder = responder
        transfer = AnsweringTransfer(exchange, reportingTo: sink) { _ in }
        let answering = ExchangeTask(of: exchange)
        player = ReportPlayer(transfer, whenTimedOut: answering.cancel)
        self.answering = answering
        exchange.takeOverWork()
    }

    // MARK: Control

    func begin() {
        transfer.begin()
        guard !transfer.isOver else { return }
        guard readsBody else { return answer(to: Data()) }
        answering.readBody { [self] body in
            switch body {
            case .success(let body): answer(to: body)
            case .failure(let failure): transfer.fail(failure)
            }
        }
    }

    func cancel() {
        answering.cancel()
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

    private func answer(to body: Data) {
        if exchange.reportsSending, !body.isEmpty {
            transfer.report(Exchange.Report(sentBodyBytes: Int64(body.count)))
        }
        switch responder(exchange, body) {
        case .response(let response): player.add(response.steps(answering: exchange))
        case .closure(let request, let answer): ask(answer, request)
        }
    }

    private func ask(_ answer: @escaping StubRoute.Answer, _ request: StubRequest) {
        player.waitForSteps()
        answering.run { [self] in
            let response: StubResponse
            do {
                response = try await answer(request)
            } catch {
                response = .failure(error as? Exchange.Failure ?? .routeThrew(error, request))
            }
            player.add(response.steps(answering: exchange))
        }
    }
}

extension Exchange.Failure {
    fileprivate static func routeThrew(_ error: any Error, _ request: StubRequest) -> Self {
        Self(
            .badServerResponse,
            message: """
                the stub's route for \(request) threw \(error); to simulate a failure of the transport, \
                throw an Exchange.Failure or return .failure
                """)
    }
}
