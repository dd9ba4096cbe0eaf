import BluebonnetChain

/// A transport that answers with the sample of a target instead of the response of a server.
///
/// Everything above the transport works as it does with a server.
struct SampleTransport: Transport {
    private let sample: Endpoint.SampleResponseClosure
    private let delay: Duration
    private let failure = Locked<(any Error)?>(nil)

    /// Creates the transport of a call; returns nil if the call is sent to a server.
    init?(_ endpoint: Endpoint, _ behavior: StubBehavior) {
        switch behavior {
        case .never: return nil
        case .immediate: delay = .zero
        case .delayed(let seconds): delay = Duration(delayInSeconds: seconds)
        }
        sample = endpoint.sampleResponseClosure
    }

    /// The error of the last answer, if the sample is an error.
    var error: (any Error)? { failure.withLock { $0 } }

    func transfer(
        for exchange: Exchange, reportingTo sink: any ExchangeSink
    ) -> any Transfer {
        failure.withLock { $0 = nil }
        // A delay is not work, so a test clock must not wait until it is over.
        if delay > .zero { exchange.takeOverWork() }
        return AnsweringTransfer(exchange, reportingTo: sink) { transfer in
            guard delay > .zero else { return answer(transfer) }
            // The timer retains the transfer, which is over if it was canceled meanwhile.
            _ = exchange.clock.schedule(after: delay) {
                if !transfer.isOver { answer(transfer) }
            }
        }
    }

    private func answer(_ transfer: AnsweringTransfer) {
        switch sample() {
        case .networkResponse(let status, let body): reply(transfer, status, [], body)
        case .response(let response, let body):
            // The length is that of the body, whatever the head says.
            let fields = HTTPHeaders(response.headers.filter { !Self.isFraming($0.name) })
            reply(transfer, response.statusCode, fields.fields, body)
        case .networkError(let error):
            failure.withLock { $0 = error }
            let code = (error as NSError).domain == NSURLErrorDomain ? (error as NSError).code : -1
            transfer.fail(
                Exchange.Failure(
                    URLError.Code(rawValue: code) ?? .unknown,
                    message: "the sample response of the target is an error: \(error)"))
        }
    }

    private func reply(
        _ transfer: AnsweringTransfer, _ status: Int, _ fields: [Exchange.Field], _ body: Data
    ) {
        guard (200...999).contains(status) else {
            return transfer.fail(
                Exchange.Failure(
                    .badServerResponse,
                    message:
                        "the sample response has the status \(status); use one from 200 to 999"))
        }
        transfer.reply(status, fields: fields, body: body)
    }

    private static func isFraming(_ name: String) -> Bool {
        name.caseInsensitiveEquals("Content-Length")
            || name.caseInsensitiveEquals("Transfer-Encoding")
    }
}
