import BluebonnetFixtureServer
import BluebonnetTestSupport
import BluebonnetTransport
import CBluebonnetTestResolver
import Foundation
import FoundationNetworking
import Testing

@Suite("Cancelling", .timeLimit(.minutes(5)))
struct CancelTests {
    let fixture: TransportFixture

    init() throws {
        fixture = try TransportFixture(pool: Exchange.Pool(maximumConnectionsPerHost: 4))
    }

    private func isCancelledOnce(
        _ pair: (recorder: ExchangeRecorder, transfer: any Transfer)
    ) async -> Bool {
        pair.transfer.cancel()
        pair.transfer.cancel()
        _ = await pair.recorder.atEnd
        pair.transfer.cancel()
        pair.transfer.resume()
        pair.transfer.suspend()
        _ = await fixture.transport.perform(fixture.exchange("/text"))
        let record = pair.recorder.now
        return record.ends.count == 1 && record.failure?.code == .cancelled && !record.wentOn
    }

    @Test("at once, while connecting, before the head, in the body, suspended: one end")
    func stages() async throws {
        #expect(await isCancelledOnce(fixture.transport.begin(fixture.exchange("/hang"))))
        let listener = try FullListener()
        let url = "http://127.0.0.1:\(listener.port)/"
        let connecting = fixture.transport.begin(
            Exchange(method: "GET", url: url, pool: fixture.pool))
        _ = await fixture.transport.perform(fixture.exchange("/text"))
        #expect(await isCancelledOnce(connecting))
        let waiting = fixture.transport.begin(fixture.exchange("/hang"))
        #expect(fixture.server.wait(upTo: 5000) { $0.requests >= 2 })
        #expect(await isCancelledOnce(waiting))
        for isSuspended in [false, true] {
            let receiving = fixture.transport.begin(fixture.exchange("/drip/1000/10"))
            _ = await receiving.recorder.when { $0.byteCount > 0 }
            if isSuspended { receiving.transfer.suspend() }
            #expect(await isCancelledOnce(receiving))
        }
        #expect(fixture.server.wait(upTo: 5000) { $0.openConnections <= 4 })
    }

    @Test("during a look-up, a TLS handshake or the head: one end as canceled (fault 83)")
    func moments() async throws {
        #expect(bt_resolver_answer("cancelled.fault.test", "+2000,127.0.0.1") == 0)
        let url = "http://cancelled.fault.test:\(fixture.server.port)/text"
        let lookingUp = fixture.transport.begin(
            Exchange(method: "GET", url: url, pool: fixture.pool))
        // In the condition, because the look-up can end before the test continues.
        #expect(
            await SystemSockets.settles {
                guard bt_resolver_count("cancelled.fault.test") == 1 else { return false }
                lookingUp.transfer.cancel()
                return true
            })
        #expect(await isCancelledOnce(lookingUp))

        let hasBegun = DispatchSemaphore(value: 0)
        let silent = try RawServer { connection, _ in
            connection.read(100)
            hasBegun.signal()
            connection.read(.max)
        }
        let handshaking = fixture.transport.begin(
            Exchange(method: "GET", url: "https://127.0.0.1:\(silent.port)/", pool: fixture.pool))
        await wait(for: hasBegun)
        #expect(await isCancelledOnce(handshaking))

        fixture.server.route("/part") { _ in
            .script([.send(Array("HTTP/1.1 200 OK\r\nA: b\r\nC:".utf8)), .hold])
        }
        let requests = fixture.server.requestCount
        let reading = fixture.transport.begin(fixture.exchange("/part"))
        #expect(fixture.server.wait(upTo: 5000) { $0.requests > requests })
        // By the end of another exchange the part has arrived.
        _ = await fixture.transport.perform(fixture.exchange("/delay/10"))
        #expect(await isCancelledOnce(reading))
        #expect(fixture.server.wait(upTo: 5000) { $0.openConnections <= 4 })
    }

    /// Waits without blocking a Swift thread.
    private func wait(for semaphore: DispatchSemaphore) async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                semaphore.wait()
                continuation.resume()
            }
        }
    }

    @Test("in the queue, also suspended: one end, and nothing reaches the server")
    func queued() async {
        let blocking = (0..<4).map { _ in fixture.transport.begin(fixture.exchange("/hang")) }
        #expect(fixture.server.wait(upTo: 5000) { $0.requests == 4 })
        let queued = fixture.transport.begin(fixture.exchange("/text"))
        let parked = fixture.transport.begin(fixture.exchange("/text"))
        parked.transfer.suspend()
        for pair in [queued, parked] {
            pair.transfer.cancel()
            #expect(await pair.recorder.atEnd.failure?.code == .cancelled)
        }
        #expect(fixture.server.requestCount == 4)
        for pair in blocking { pair.transfer.cancel() }
        for pair in blocking { #expect(await pair.recorder.atEnd.ends.count == 1) }
    }

    @Test("after the end it has no effect")
    func late() async {
        let pair = fixture.transport.begin(fixture.exchange("/text"))
        _ = await pair.recorder.atEnd
        pair.transfer.cancel()
        _ = await fixture.transport.perform(fixture.exchange("/text"))
        #expect(pair.recorder.now.ends.count == 1)
        #expect(pair.recorder.now.failure == nil)
    }

    @Test("a thousand cancels have a thousand ends, and the next exchange works")
    func thousand() async {
        let pairs = (0..<1000).map { _ in fixture.transport.begin(fixture.exchange("/hang")) }
        for pair in pairs { pair.transfer.cancel() }
        for pair in pairs {
            let record = await pair.recorder.atEnd
            #expect(record.ends.count == 1 && record.failure?.code == .cancelled)
        }
        #expect(await fixture.transport.perform(fixture.exchange("/text")).failure == nil)
        #expect(fixture.server.wait(upTo: 5000) { $0.openConnections <= 4 })
    }
}
