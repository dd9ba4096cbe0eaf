import BluebonnetFixtureServer
import BluebonnetTestSupport
import BluebonnetTransport
import Foundation
import Testing

@Suite("Many concurrent exchanges", .timeLimit(.minutes(5)))
struct SoakTests {
    @Test("5,000 exchanges with random cancels, suspends and resumes have 5,000 ends")
    func random() async throws {
        let fixture = try TransportFixture(
            pool: Exchange.Pool(maximumConnectionsPerHost: 40, maximumConnections: 40))
        let paths = [
            "/text", "/bytes/50000", "/gzip/100000", "/chunked/70000", "/delay/5", "/drip/4/2",
        ]
        await withTaskGroup(of: Int.self) { group in
            for worker in 0..<128 {
                group.addTask {
                    var generator = SeededGenerator(seed: UInt64(worker))
                    var ends = 0
                    for index in 0..<40 where worker * 40 + index < 5000 {
                        let path = paths.randomElement(using: &generator) ?? "/text"
                        let pair = fixture.transport.begin(fixture.exchange(path))
                        for _ in 0..<Int.random(in: 0..<4, using: &generator) {
                            switch Int.random(in: 0..<5, using: &generator) {
                            case 0: pair.transfer.cancel()
                            case 1, 2: pair.transfer.suspend()
                            default: pair.transfer.resume()
                            }
                            await Task.yield()
                        }
                        pair.transfer.resume()
                        let record = await pair.recorder.atEnd
                        let isWhole = record.failure == nil || record.failure?.code == .cancelled
                        let held = isWhole && record.ends.count == 1 && !record.wentOn
                        #expect(
                            held,
                            "\(path): \(String(describing: record.failure)), \(record.ends.count) ends"
                        )
                        ends += held ? 1 : 0
                    }
                    return ends
                }
            }
            let total = await group.reduce(0, +)
            #expect(total == 5000)
        }
        let port = fixture.server.port
        fixture.transport.shutDown()
        #expect(
            await SystemSockets.settles {
                SystemSockets.clients(of: port, in: .established).isEmpty
            })
        #expect(SystemSockets.clients(of: port, in: .closeWait).isEmpty)
        #expect(fixture.transport.longestTurn > 0 && fixture.transport.longestTurn < 5)
    }
}
