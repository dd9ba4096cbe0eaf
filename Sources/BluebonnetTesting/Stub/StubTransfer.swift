import Bluebonnet

/// An exchange with a stub: what a route answers with, at its time.
final class StubTransfer: Transfer {
    typealias Responder = @Sendable (Exchange, _ body: Data) -> StubTransport.Reply

    let exchange: Exchange
    private let readsBody: Bool
    private let responder: Responder
    private let transfer: AnsweringTransfer
    private let player: ReportPlayer
    private let answering: CancellableTask

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
        let answering = CancellableTask(on: exchange.clock)
        player = ReportPlayer(transfer, whenTimedOut: answering.cancel)
        self.answering = answering
        exchange.takeOverWork()
    }

    // MARK: Control

    func begin() {
        transfer.begin()
        guard !transfer.isOver else { return }
        switch readsBody ? exchange.body : nil {
        case nil: answer(to: Data())
        case .data(let body): answer(to: body)
        case .stream(let stream):
            answering.run { [self] in
                // On a thread that the clock does not see.
                let work = stream.mayBlock ? exchange.clock as? any WorkObservingClock : nil
                work?.workDidBegin()
                defer { work?.workDidEnd() }
                do throws(Exchange.Failure) {
                    answer(to: try await Exchange.Body.stream(stream).read())
                } catch {
                    transfer.fail(error)
                }
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

    private func ask(_ answer: @escaping StubTransport.Answer, _ request: StubRequest) {
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
                the stub's route for \(request) threw \(error); throw an Exchange.Failure, or answer with \
                .failure, for a failure of the transport
                """)
    }
}
