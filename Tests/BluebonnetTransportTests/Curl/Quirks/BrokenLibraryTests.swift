import BluebonnetFixtureServer
import BluebonnetTransport
import CBluebonnetTestFaults
import Foundation
import FoundationNetworking
import Testing

/// Calls fail only on threads with a certain name, so other suites are not affected.
@Suite("A failing libcurl", .serialized, .timeLimit(.minutes(5)))
struct BrokenLibraryTests {
    private static let thread = "bt-broken"
    /// `CURLE_OUT_OF_MEMORY`, and an error number that libcurl does not have.
    private static let refusals: [Int32] = [27, 999]

    let server: FixtureServer
    let transport = CurlTransport(threadName: BrokenLibraryTests.thread)

    init() throws {
        server = try FixtureServer()
        bt_fault_plan(BT_SETOPT, Self.thread, 0, 0, 0)
    }

    private func exchange(_ path: String, _ pool: Exchange.Pool) -> Exchange {
        Exchange(method: "POST", url: server.baseURL + path, pool: pool).with {
            $0.fields = [Exchange.Field(name: "X-Own", value: "1")]
            $0.body = .data(Data("body".utf8))
            $0.timeouts.connect = 5
        }
    }

    private func expectGood(_ pool: Exchange.Pool) async {
        let record = await transport.perform(exchange("/echo", pool))
        #expect(record.failure == nil)
    }

    @Test(
        "any option that is refused fails its exchange and no other (fault 95)",
        arguments: refusals)
    func options(code: Int32) async {
        var failureCount = 0
        for skipped in 0..<200 {
            let pool = Exchange.Pool()
            bt_fault_plan(BT_SETOPT, Self.thread, Int32(skipped), 1, code)
            let record = await transport.perform(exchange("/echo", pool))
            // Ends after the last option.
            guard bt_fault_count(BT_SETOPT) == 1 else { break }
            failureCount += 1
            #expect(record.ends.count == 1 && !record.wentOn)
            #expect(record.failure?.message.contains("option") == true, "\(skipped)")
            await expectGood(pool)
        }
        #expect(failureCount > 30)
    }

    @Test("an option that is refused on a kept connection leaves no trace in the next exchange")
    func keptOptions() async {
        let pool = Exchange.Pool()
        var goodCount = 0
        for skipped in 0..<20 {
            await expectGood(pool)
            bt_fault_plan(BT_SETOPT, Self.thread, Int32(skipped), 1, 27)
            let head = exchange("/text", pool).with {
                $0.method = "HEAD"
                $0.body = nil
                $0.fields = []
                $0.timeouts.connect = 6
            }
            let record = await transport.perform(head)
            guard bt_fault_count(BT_SETOPT) == 1 else { break }
            #expect(record.ends.count == 1, "\(skipped)")
            if record.failure == nil { goodCount += 1 }
        }
        // Keeping old addresses is optional. After an exchange on a new connection it is set one
        // option earlier, so the loop can meet it twice.
        #expect(goodCount <= 2)
    }

    @Test("an exchange that libcurl refuses fails, and the next one works (fault 95)")
    func refusedExchange() async {
        let pool = Exchange.Pool()
        await expectGood(pool)
        bt_fault_plan(BT_ADD_HANDLE, Self.thread, 0, 1, 3)
        let record = await transport.perform(exchange("/text", pool))
        #expect(record.ends.count == 1)
        #expect(record.failure?.message.contains("refused the exchange") == true)
        await expectGood(pool)
    }

    /// `CURLM_OUT_OF_MEMORY`, `CURLM_INTERNAL_ERROR`, and numbers that libcurl does not have.
    @Test(
        "any error of the multi handle fails the pool's exchanges and rebuilds the pool (fault 95)",
        arguments: [3, 4, 999, -77] as [Int32])
    func multi(code: Int32) async {
        let pool = Exchange.Pool(maximumConnectionsPerHost: 2)
        let other = transport.begin(exchange("/hang", Exchange.Pool()))
        let pairs = (0..<4).map { _ in transport.begin(exchange("/hang", pool)) }
        pairs[3].transfer.suspend()
        #expect(server.wait(upTo: 5000) { $0.requests >= 3 })
        bt_fault_plan(BT_SOCKET_ACTION, Self.thread, 0, 1, code)
        // Frees a slot, so that libcurl is called for the next in the queue.
        pairs[0].transfer.cancel()
        for pair in pairs[1...] {
            let record = await pair.recorder.atEnd
            #expect(record.failure?.code == .unknown)
            #expect(record.failure?.message.contains("could not continue") == true)
        }
        await expectGood(pool)
        for pair in pairs {
            pair.transfer.resume()
            #expect(pair.recorder.now.ends.count == 1)
        }
        #expect(other.recorder.now.ends.isEmpty)
        other.transfer.cancel()
        // The connections of the broken multi handle are closed.
        #expect(server.wait(upTo: 5000) { $0.openConnections <= 1 })
    }
}
