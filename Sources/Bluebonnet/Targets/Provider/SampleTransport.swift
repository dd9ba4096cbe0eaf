import BluebonnetTransport
import Foundation
import FoundationNetworking

/// Gives the sample of a target in place of a server's response, so that all of the library above works as it does
/// with one.
struct SampleTransport: Transport {
    private let sample: Endpoint.SampleResponseClosure
    private let delay: Duration
    private let failure = Locked<(any Error)?>(nil)

    /// Makes the transport of a call; nil for one that is sent.
    init?(_ endpoint: Endpoint, _ behavior: StubBehavior) {
        switch behavior {
        case .never: return nil
        case .immediate: delay = .zero
        case .delayed(let seconds): delay = Duration(delayInSeconds: seconds)
        }
        sample = endpoint.sampleResponseClosure
    }

    /// The error that the sample is, where it was one.
    var error: (any Error)? { failure.withLock { $0 } }

    func transfer(
        for exchange: Exchange, reportingTo sink: any ExchangeSink
    ) -> any Transfer {
        failure.withLock { $0 = nil }
        // A delay is a wait, and no work that a clock of tests would wait for.
        if delay > .zero { exchange.takeOverWork() }
        return AnsweringTransfer(exchange, reportingTo: sink) { transfer in
            guard delay > .zero else { return answer(transfer) }
            // The timer holds the transfer, and finds it over if it was cancelled.
            _ = exchange.clock.schedule(after: delay) {
                if !transfer.isOver { answer(transfer) }
            }
        }
    }

    private func answer(_ transfer: AnsweringTransfer) {
        switch sample() {
        case .networkResponse(let status, let body): reply(transfer, status, [], body)
        case .response(let response, let body):
            // The length is that of the sample, whatever its head says.
            let fields = HTTPHeaders(response.headers.filter { !Self.isFraming($0.name) })
            reply(transfer, response.statusCode, fields.fields, body)
        case .networkError(let error):
            failure.withLock { $0 = error }
            let code = (error as NSError).domain == NSURLErrorDomain ? (error as NSError).code : -1
            transfer.fail(
                Exchange.Failure(
                    URLError.Code(rawValue: code) ?? .unknown,
                    message: "the sample of the target is an error: \(error)"))
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
                        "the sample of the target has the status \(status); give one from 200 on"))
        }
        transfer.reply(status, fields: fields, body: body)
    }

    private static func isFraming(_ name: String) -> Bool {
        name.caseInsensitiveEquals("Content-Length")
            || name.caseInsensitiveEquals("Transfer-Encoding")
    }
}
