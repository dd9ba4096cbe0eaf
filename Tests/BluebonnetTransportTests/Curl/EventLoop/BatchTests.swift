import BluebonnetFixtureServer
import BluebonnetTransport
import Foundation
import Testing

@Suite("Batches of reports", .timeLimit(.minutes(5)))
struct BatchTests {
    /// A sink that never delivers its batch, or delivers it twice.
    private final class Careless: ExchangeSink {
        let recorder = ExchangeRecorder()
        let times: Int

        init(times: Int) { self.times = times }

        func receive(_ report: consuming Exchange.Report) { recorder.receive(report) }
        func gather(_ deliver: () -> Void) { for _ in 0..<times { deliver() } }
    }

    @Test("a sink that mishandles batches affects neither itself nor others", arguments: [0, 2])
    func careless(times: Int) async throws {
        let fixture = try TransportFixture()
        let sinks = (0..<20).map { _ in Careless(times: times) }
        for sink in sinks {
            _ = fixture.transport.start(fixture.exchange("/text"), reportingTo: sink)
        }
        for sink in sinks {
            let record = await sink.recorder.atEnd
            #expect(record.failure == nil && record.ends.count == 1 && !record.wentOn)
        }
    }
}
