import Bluebonnet
import BluebonnetCache
import BluebonnetTesting
import Foundation
import Testing

@Suite("A body on its way through the store", .timeLimit(.minutes(1)))
struct StoringTransferTests {
    private static let head = Exchange.Head(
        statusCode: 200, fields: [Exchange.Field(name: "Cache-Control", value: "max-age=60")])
    private static let pieces = (0..<60).map { Data(repeating: UInt8($0), count: 50_000) }
    private static let whole = pieces.reduce(Data(), +)

    private let store = HeldStore()
    private let fixture: CacheFixture

    init() {
        fixture = CacheFixture(store: store.memory, behind: store)
        fixture.origin.hold()
    }

    private func start(_ caller: Caller, window: Int? = nil) -> any Transfer {
        var exchange = fixture.exchange()
        exchange.receiveWindow = window
        return fixture.cache.start(exchange, reportingTo: caller)
    }

    private func deliver(_ pieces: some Collection<Data>, isEnd: Bool = false) {
        let server = fixture.origin.held[0]
        for piece in pieces { server.report(Exchange.Report(body: [Exchange.Chunk(piece)])) }
        if isEnd { server.report(Exchange.Report(end: Exchange.End())) }
    }

    private func begin() { fixture.origin.held[0].report(Exchange.Report(head: Self.head)) }

    @Test("a caller that comes when much has arrived reads the beginning back from the store")
    func late() async {
        let (first, second) = (Caller(), Caller())
        let transfer = start(first)
        begin()
        store.release()
        deliver(Self.pieces[..<50])
        store.holdReads()
        let late = start(second)
        #expect(second.received.body.isEmpty && store.readCount == 1)
        deliver(Self.pieces[50...], isEnd: true)
        store.releaseReads()
        #expect(await first.result().body == Self.whole)
        let received = await second.result()
        #expect(received.body == Self.whole && received.failure == nil)
        #expect(received.cache?.isCollapsed == true && store.readCount > 0)
        #expect(fixture.origin.requests.count == 1 && store.memory.count == 1)
        withExtendedLifetime((transfer, late)) {}
    }

    @Test("the server is asked for no more than the store takes, however fast the callers are")
    func backPressure() async {
        let caller = Caller()
        let transfer = start(caller)
        begin()
        deliver(Self.pieces[..<10])
        // Counted in whole pieces up to the window.
        #expect(fixture.origin.consumedCount <= 256 * 1_024 + 50_000)
        #expect(caller.received.body.count == 500_000)
        store.release()
        #expect(fixture.origin.consumedCount == 500_000)
        deliver(Self.pieces[10...], isEnd: true)
        #expect(fixture.origin.consumedCount == Self.whole.count)
        #expect(await caller.result().body == Self.whole && store.memory.count == 1)
        withExtendedLifetime(transfer) {}
    }

    @Test("a store that fails within the body keeps nothing, and all callers get the whole body")
    func failing() async {
        let (fast, slow) = (Caller(), Caller())
        let transfers = [start(fast), start(slow, window: 1_000)]
        begin()
        store.release()
        deliver(Self.pieces[..<40])
        store.hold()
        deliver(Self.pieces[40..<41])
        store.release(false)
        #expect(store.discardCount == 1 && !store.isDiscardedWhileWriting)
        deliver(Self.pieces[41...], isEnd: true)
        // What the slow one can read back does not hold up the server.
        #expect(fixture.origin.consumedCount > 2_200_000)
        while slow.received.end == nil { transfers[1].didConsume(slow.received.body.count) }
        #expect(fast.received.body == Self.whole && slow.received.body == Self.whole)
        #expect(slow.received.failure == nil && store.memory.count == 0)
    }

    @Test("a caller for whom nothing can be read back fails, and the others do not")
    func lost() async {
        let (fast, slow) = (Caller(), Caller())
        let transfers = [start(fast), start(slow, window: 1_000)]
        begin()
        store.release()
        store.loseReads()
        deliver(Self.pieces, isEnd: true)
        while slow.received.end == nil { transfers[1].didConsume(slow.received.body.count) }
        #expect(slow.received.failure?.code == .resourceUnavailable)
        #expect(fast.received.body == Self.whole && fast.received.failure == nil)
        #expect(store.memory.count == 1)
    }

    @Test("callers do not wait for a slow store, and those who come meanwhile share what it has")
    func behind() async {
        let (first, second) = (Caller(), Caller())
        let transfer = start(first)
        begin()
        deliver(Self.pieces[..<3], isEnd: true)
        #expect(await first.result().body.count == 150_000)
        let late = start(second)
        #expect(await second.result().body.count == 150_000)
        #expect(second.received.cache?.isCollapsed == true && store.memory.count == 0)
        store.release()
        fixture.origin.release()
        #expect(store.memory.count == 1)
        #expect(await fixture.send().isHit && fixture.origin.requests.count == 1)
        withExtendedLifetime((transfer, late)) {}
    }

    @Test("a canceled exchange is discarded once the store is not writing")
    func canceled() async {
        let caller = Caller()
        let transfer = start(caller)
        begin()
        deliver(Self.pieces[..<3])
        transfer.abort()
        #expect(fixture.origin.cancelCount == 1 && fixture.origin.abortCount == 1)
        #expect(store.discardCount == 0)
        store.release()
        #expect(store.discardCount == 1 && !store.isDiscardedWhileWriting)
        #expect(store.memory.count == 0)
    }

    @Test("a response whose body the store has lost is fetched, and not validated again and again")
    func lostBody() async {
        fixture.origin.answers { exchange, _ in
            let isValid = exchange.fields.contains { $0.name == "If-None-Match" }
            return .init(
                isValid ? 304 : 200, ["Cache-Control": "no-cache", "ETag": "\"a\""],
                body: isValid ? "" : "x")
        }
        store.release()
        fixture.origin.release()
        _ = await fixture.send()
        store.loseBodies()
        #expect(await fixture.send().text == "x" && fixture.origin.requests.count == 3)
    }

    @Test("a change while the store is behind keeps the former response from being stored")
    func changed() async {
        let caller = Caller()
        let transfer = start(caller)
        begin()
        deliver(Self.pieces[..<3], isEnd: true)
        _ = await caller.result()
        fixture.origin.release(except: fixture.origin.held[0])
        _ = await fixture.send("PUT", "http://a.test/")
        store.release()
        #expect(store.memory.count == 0 && store.discardCount == 1)
        withExtendedLifetime(transfer) {}
    }
}
