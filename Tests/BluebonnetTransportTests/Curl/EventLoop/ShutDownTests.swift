import BluebonnetFixtureServer
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@Suite("The end of a transport", .timeLimit(.minutes(5)))
struct ShutDownTests {
    private func startPairs(
        _ fixture: TransportFixture, _ transport: CurlTransport
    ) async -> [(recorder: ExchangeRecorder, transfer: any Transfer)] {
        let paths = ["/endless", "/hang", "/drip/1000/100", "/hang", "/text", "/text", "/text"]
        let pairs = paths.map { transport.begin(fixture.exchange($0)) }
        pairs[6].transfer.suspend()
        _ = await pairs[0].recorder.when { $0.byteCount > 0 }
        pairs[0].transfer.suspend()
        return pairs
    }

    @Test("shutting down ends every exchange once, at any stage, and refuses new ones")
    func shutDown() async throws {
        let fixture = try TransportFixture(pool: Exchange.Pool(maximumConnectionsPerHost: 3))
        let pairs = await startPairs(fixture, fixture.transport)
        fixture.transport.shutDown()
        for pair in pairs {
            let record = pair.recorder.now
            #expect(record.ends.count == 1 && record.failure?.code == .cancelled)
            pair.transfer.cancel()
            pair.transfer.resume()
        }
        let late = await fixture.transport.perform(fixture.exchange("/text"))
        #expect(late.failure?.code == .cancelled)
        fixture.transport.shutDown()
        #expect(fixture.server.wait(upTo: 5000) { $0.openConnections == 0 })
    }

    @Test("a transport that is dropped ends its exchanges")
    func dropped() async throws {
        let fixture = try TransportFixture(pool: Exchange.Pool(maximumConnectionsPerHost: 3))
        func startAndDrop() async -> [(recorder: ExchangeRecorder, transfer: any Transfer)] {
            await startPairs(fixture, CurlTransport())
        }
        let pairs = await startAndDrop()
        for pair in pairs {
            #expect(await pair.recorder.atEnd.failure?.code == .cancelled)
        }
        #expect(pairs.count == 7)
        #expect(fixture.server.wait(upTo: 5000) { $0.openConnections == 0 })
    }

    @Test("after a transport shuts down, nothing retains the objects of an exchange")
    func letGo() async throws {
        let fixture = try TransportFixture()
        // So many pieces that the loop continues with them in its next turn, repeatedly.
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        fixture.server.route("/crumbs") { _ in
            .script([.send(Array(head.utf8)), .repeatForever(Array("1\r\nx\r\n".utf8))])
        }
        for _ in 0..<4 {
            weak var recorder: ExchangeRecorder?
            do {
                let transport = CurlTransport()
                let sink = ExchangeRecorder(keepsBody: false)
                recorder = sink
                _ = transport.start(fixture.exchange("/crumbs"), reportingTo: sink)
                _ = await sink.when { $0.byteCount > 100_000 || !$0.ends.isEmpty }
                transport.shutDown()
            }
            #expect(recorder == nil)
        }
    }

    @Test("exchanges that start during a shutdown all end once")
    func race() async throws {
        let fixture = try TransportFixture()
        for _ in 0..<20 {
            let transport = CurlTransport()
            let task = Task.detached {
                (0..<50).map { _ in transport.begin(fixture.exchange("/hang")).recorder }
            }
            transport.shutDown()
            for recorder in await task.value { #expect(await recorder.atEnd.ends.count == 1) }
        }
    }

    @Test("an outdated libcurl is named in every failure, with the required version")
    func version() async throws {
        let old = LibcurlVersion(number: 0x073D00, text: "7.61.0")
        let failure = #expect(throws: Exchange.Failure.self) { try old.checked() }
        #expect(failure?.message.contains("7.61.0") == true)
        #expect(failure?.message.contains("7.87.0") == true)
        #expect(try LibcurlVersion.oldestSupported.checked() == .oldestSupported)
        let transport = CurlTransport(
            version: Result { () throws(Exchange.Failure) in try old.checked() })
        let pair = transport.begin(Exchange(method: "GET", url: "http://x/", pool: Exchange.Pool()))
        #expect(pair.recorder.now.ends.count == 1)
        #expect(pair.recorder.now.failure?.message.contains("7.61.0") == true)
        pair.transfer.cancel()
        transport.shutDown()
    }
}
