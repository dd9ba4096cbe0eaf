import Bluebonnet
import BluebonnetCache
import BluebonnetTesting
import Foundation
import Testing

@Suite("One exchange for many callers", .timeLimit(.minutes(1)))
struct SharedExchangeTests {
    private struct Group {
        let callers: [Caller]
        let transfers: [any Transfer]

        func results() async -> [Caller.Received] {
            var results: [Caller.Received] = []
            for caller in callers { results.append(await caller.result()) }
            return results
        }
    }

    private func start(
        _ count: Int, _ fixture: CacheFixture, _ fields: (Int) -> [String: String] = { _ in [:] }
    ) -> Group {
        let callers = (0..<count).map { _ in Caller() }
        let transfers = callers.indices.map { number in
            fixture.cache.start(
                fixture.exchange("GET", "http://a.test/", fields(number)),
                reportingTo: callers[number])
        }
        return Group(callers: callers, transfers: transfers)
    }

    private let head = Exchange.Head(
        statusCode: 200, fields: [Exchange.Field(name: "Cache-Control", value: "max-age=60")])

    @Test("a body reaches all callers as it arrives, also those who come later")
    func arriving() async {
        let fixture = CacheFixture()
        fixture.origin.hold()
        let first = start(2, fixture)
        let server = fixture.origin.held[0]
        server.report(Exchange.Report(head: head, body: [Exchange.Chunk(Data("abc".utf8))]))
        #expect(first.callers.map { $0.received.text } == ["abc", "abc"])
        let late = start(1, fixture)
        #expect(late.callers[0].received.text == "abc" && fixture.origin.requests.count == 1)
        server.report(
            Exchange.Report(body: [Exchange.Chunk(Data("def".utf8))], end: Exchange.End()))
        for result in await first.results() + late.results() {
            #expect(result.text == "abcdef" && result.failure == nil && result.endCount == 1)
        }
        #expect(await fixture.send().isHit)
    }

    @Test("a caller that reads slowly holds up nobody, and reads everything")
    func slow() async {
        let fixture = CacheFixture()
        fixture.origin.hold()
        let fast = Caller()
        let slow = Caller()
        var exchange = fixture.exchange()
        exchange.receiveWindow = 1
        let transfers = [
            fixture.cache.start(fixture.exchange(), reportingTo: fast),
            fixture.cache.start(exchange, reportingTo: slow),
        ]
        let server = fixture.origin.held[0]
        let piece = Data(repeating: 7, count: 60_000)
        server.report(Exchange.Report(head: head))
        for _ in 0..<50 { server.report(Exchange.Report(body: [Exchange.Chunk(piece)])) }
        server.report(Exchange.Report(end: Exchange.End()))
        #expect(await fast.result().body.count == 3_000_000)
        #expect(slow.received.body.count <= 65_536 && slow.received.end == nil)
        var consumed = 0
        while slow.received.end == nil {
            let count = slow.received.body.count
            transfers[1].didConsume(count - consumed)
            consumed = count
        }
        #expect(slow.received.body.count == 3_000_000 && slow.received.failure == nil)
    }

    @Test("a body too long to be stored reaches all callers, at the speed of the slowest")
    func tooLong() async {
        var policy = CachePolicy.shared
        policy.maximumBodySize = 100_000
        let fixture = CacheFixture(policy)
        fixture.origin.hold()
        let group = start(3, fixture)
        let server = fixture.origin.held[0]
        server.report(Exchange.Report(head: head))
        let piece = Data(repeating: 7, count: 50_000)
        for _ in 0..<20 { server.report(Exchange.Report(body: [Exchange.Chunk(piece)])) }
        server.report(Exchange.Report(end: Exchange.End()))
        for result in await group.results() {
            #expect(result.body.count == 1_000_000 && result.failure == nil)
        }
        #expect(fixture.store.count == 0)
    }

    @Test("a failure reaches all callers once, and an end within the body is stored for nobody")
    func failure() async {
        for hasHead in [false, true] {
            let fixture = CacheFixture()
            fixture.origin.hold()
            let group = start(5, fixture)
            let failure = Exchange.Failure(.networkConnectionLost, message: "gone")
            fixture.origin.held[0].report(
                Exchange.Report(
                    head: hasHead ? head : nil,
                    body: hasHead ? [Exchange.Chunk(Data("ab".utf8))] : [],
                    end: Exchange.End(failure: failure)))
            for result in await group.results() {
                #expect(result.failure?.code == .networkConnectionLost && result.endCount == 1)
                #expect(result.text == (hasHead ? "ab" : ""))
            }
            #expect(fixture.store.count == 0 && fixture.origin.requests.count == 1)
        }
    }

    @Test("after a timeout of the first caller, the others send requests of their own")
    func timeout() async {
        let fixture = CacheFixture { _, _ in .init(200, ["Cache-Control": "max-age=60"], body: "x")
        }
        fixture.origin.hold()
        let group = start(4, fixture)
        let failure = Exchange.Failure(.timedOut, message: "slow", timeout: .head)
        let held = fixture.origin.held[0]
        fixture.origin.release(except: held)
        held.fail(failure)
        let results = await group.results()
        #expect(results[0].failure?.code == .timedOut)
        #expect(results[1...].allSatisfy { $0.text == "x" })
    }

    @Test("if the first caller leaves, the response still answers the others")
    func leaderLeaves() async {
        for control in ["max-age=60", "no-store", "private"] {
            let fixture = CacheFixture { _, _ in .init(200, ["Cache-Control": control], body: "x") }
            fixture.origin.hold()
            let group = start(4, fixture)
            group.transfers[0].cancel()
            fixture.origin.release()
            let results = await group.results()
            #expect(results[0].failure?.code == .cancelled)
            #expect(results[1...].allSatisfy { $0.text == "x" && $0.failure == nil }, "\(control)")
        }
    }

    @Test("callers whose fields Vary tells apart get their own responses")
    func vary() async {
        let fixture = CacheFixture { exchange, _ in
            let language = exchange.fields.first { $0.name == "Accept-Language" }?.value ?? ""
            return .init(
                200, ["Cache-Control": "max-age=60", "Vary": "accept-language"], body: language)
        }
        fixture.origin.hold()
        let group = start(6, fixture) { ["Accept-Language": $0 % 2 == 0 ? "de" : "en"] }
        #expect(fixture.origin.requests.count == 1)
        fixture.origin.release()
        let texts = await group.results().map(\.text)
        #expect(texts == ["de", "en", "de", "en", "de", "en"])
    }

    @Test("tokens of two users who ask at the same time never get each other's response")
    func tokens() async {
        for control in ["max-age=60", "no-store", "private, max-age=60", "no-cache"] {
            let fixture = CacheFixture { exchange, _ in
                let token = exchange.fields.first { $0.name == "Authorization" }?.value ?? ""
                return .init(200, ["Cache-Control": control, "ETag": "\"\(token)\""], body: token)
            }
            for _ in 0..<2 {
                fixture.origin.hold()
                let group = start(10, fixture) { ["Authorization": "user\($0 % 2)"] }
                fixture.origin.release()
                let texts = await group.results().map(\.text)
                #expect(texts == (0..<10).map { "user\($0 % 2)" }, "\(control)")
            }
        }
    }

    @Test(
        "a stale response that may be used is refreshed by one exchange, while all callers have it")
    func refresh() async {
        let fixture = CacheFixture { _, number in
            .init(
                200, ["Cache-Control": "max-age=10, stale-while-revalidate=60"], body: "\(number)")
        }
        _ = await fixture.send()
        await fixture.clock.advance(by: .seconds(20))
        fixture.origin.hold()
        for result in await start(50, fixture).results() {
            #expect(result.text == "1" && result.cache?.timeToLive == -10)
        }
        #expect(fixture.origin.requests.count == 2)
        fixture.origin.release()
        await fixture.clock.idle()
        #expect(await fixture.send().text == "2")
        #expect(fixture.origin.requests.count == 2)
    }

    @Test("a response that is under way while its resource is changed is not stored")
    func invalidated() async {
        let fixture = CacheFixture { _, _ in .init(200, ["Cache-Control": "max-age=60"], body: "x")
        }
        fixture.origin.hold()
        let group = start(1, fixture)
        let read = fixture.origin.held[0]
        fixture.origin.release(except: read)
        _ = await fixture.send("PUT", "http://a.test/")
        read.report(
            Exchange.Report(
                head: head, body: [Exchange.Chunk(Data("old".utf8))], end: Exchange.End()))
        _ = await group.results()
        #expect(fixture.store.count == 0)
    }

    @Test("a 304 for a response that is not stored is followed by a request without conditions")
    func foreignTag() async {
        for hasEnd in [true, false] {
            let fixture = CacheFixture { _, _ in
                .init(200, ["Cache-Control": "max-age=1", "ETag": "\"a\""], body: "old")
            }
            _ = await fixture.send()
            await fixture.clock.advance(by: .seconds(5))
            fixture.origin.hold()
            let group = start(3, fixture)
            let tag = Exchange.Field(name: "ETag", value: "\"other\"")
            fixture.origin.held.last?.report(
                Exchange.Report(
                    head: Exchange.Head(statusCode: 304, fields: [tag]),
                    end: hasEnd ? Exchange.End() : nil))
            let again = fixture.origin.held.last
            #expect(again?.exchange.fields.contains { $0.name == "If-None-Match" } == false)
            again?.report(
                Exchange.Report(
                    head: Exchange.Head(statusCode: 200, fields: [tag]),
                    body: [Exchange.Chunk(Data("new".utf8))], end: Exchange.End()))
            for result in await group.results() {
                #expect(result.text == "new" && result.status == 200 && result.endCount == 1)
            }
        }
    }

    @Test("requests on other connections, or with other timeouts, do not share an exchange")
    func pools() async {
        let fixture = CacheFixture()
        fixture.origin.hold()
        var (foreign, hasty) = (fixture.exchange(), fixture.exchange())
        foreign.pool = Exchange.Pool()
        hasty.timeouts.head = 5
        let callers = (0..<3).map { _ in Caller() }
        for (exchange, caller) in zip([fixture.exchange(), foreign, hasty], callers) {
            fixture.cache.start(exchange, reportingTo: caller)
        }
        #expect(fixture.origin.requests.count == 3)
        fixture.origin.release()
        for caller in callers { _ = await caller.result() }
    }

    /// Sends a request again as soon as it has failed, as a retry does.
    private final class RetryingCaller: ExchangeSink {
        let second = Caller()
        private let fixture: CacheFixture

        init(_ fixture: CacheFixture) { self.fixture = fixture }

        func receive(_ report: consuming Exchange.Report) {
            guard report.end?.failure != nil else { return }
            fixture.cache.start(fixture.exchange(), reportingTo: second)
        }
    }

    @Test("who tries again at once after a failure within the body does not get that failure again")
    func retry() async {
        for isAsked in [false, true] {
            let fixture = CacheFixture { _, _ in
                .init(200, ["Cache-Control": "max-age=60"], body: "whole")
            }
            fixture.origin.hold()
            let caller = RetryingCaller(fixture)
            var exchange = fixture.exchange()
            if isAsked { exchange.willCacheResponse = .decide { $0 } }
            fixture.cache.start(exchange, reportingTo: caller)
            let server = fixture.origin.held[0]
            fixture.origin.release(except: server)
            let failure = Exchange.Failure(.networkConnectionLost, message: "gone")
            server.report(
                Exchange.Report(
                    head: head, body: [Exchange.Chunk(Data("wh".utf8))],
                    end: Exchange.End(failure: failure)))
            let second = await caller.second.result()
            #expect(second.text == "whole" && second.failure == nil)
        }
    }

    @Test("a refresh ends when its response turns out not to be stored")
    func endlessRefresh() async {
        var policy = CachePolicy.shared
        policy.maximumBodySize = 1_000
        let fixture = CacheFixture(policy) { _, _ in
            .init(200, ["Cache-Control": "max-age=1, stale-while-revalidate=600"], body: "x")
        }
        _ = await fixture.send()
        await fixture.clock.advance(by: .seconds(5))
        fixture.origin.hold()
        #expect(await fixture.send().text == "x")
        let refresh = fixture.origin.held[0]
        refresh.report(Exchange.Report(head: head, body: [Exchange.Chunk(Data(count: 2_000))]))
        #expect(fixture.origin.cancelCount == 1)
        // Its resource is another one now, so that it is not refreshed again and again.
        #expect(fixture.store.count == 0)
    }

    @Test("a transfer that its owner has released comes to its end")
    func released() async {
        let fixture = CacheFixture { _, _ in .init(200, ["Cache-Control": "max-age=60"], body: "x")
        }
        fixture.origin.hold()
        let callers = (0..<20).map { _ in Caller() }
        for caller in callers {
            fixture.cache.start(fixture.exchange(), reportingTo: caller)
        }
        fixture.origin.release()
        for caller in callers { #expect(await caller.result().text == "x") }
    }

    @Test("a request whose task is suspended during the look-up is not sent on")
    func suspended() async {
        let fixture = CacheFixture { _, _ in .init(200, ["Cache-Control": "no-store"], body: "x") }
        var exchange = fixture.exchange()
        exchange.cachePolicy = .reloadIgnoringLocalCacheData
        let caller = Caller()
        let transfer = fixture.cache.transfer(for: exchange, reportingTo: caller)
        transfer.suspend()
        transfer.begin()
        #expect(caller.received.end == nil)
        transfer.resume()
        #expect(await caller.result().text == "x")
    }
}
