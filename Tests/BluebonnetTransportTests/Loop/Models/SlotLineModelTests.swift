import Foundation
import FoundationNetworking
import Testing
import TestSupport

@testable import BluebonnetTransport

@Suite("Whose turn it is, in any order of events", .timeLimit(.minutes(10)))
struct SlotLineModelTests {
    private final class Ear: ExchangeSink {
        func receive(_ report: Exchange.Report) {}
    }

    @Test(
        """
        200,000 events in any order keep every limit, serve by priority and arrival, and leave \
        nobody waiting who could be served
        """)
    func walks() throws {
        let loop = try CurlLoop()
        let exchange = Exchange(method: "GET", url: "http://a/", pool: Exchange.Pool())
        // Their loop never runs: only the line is driven.
        let transfers = (0..<14).map { _ in
            CurlTransfer(exchange: exchange, sink: Ear(), loop: loop)
        }
        RandomWalks.take(steps: 200_000) { (seed, logs) throws(RandomWalks.Failure) in
            try SlotLineModel.run(seed: seed, logs: logs, transfers: transfers)
        }
    }
}
