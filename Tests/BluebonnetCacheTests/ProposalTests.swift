import Bluebonnet
import BluebonnetCache
import BluebonnetTesting
import Foundation
import FoundationNetworking
import Testing

@Suite("What a hook says of a response to store", .timeLimit(.minutes(1)))
struct ProposalTests {
    /// A question that a test answers.
    private final class Question: Sendable {
        private let (answers, given) = AsyncStream<CachedResponse?>.makeStream()
        private let (questions, asked) = AsyncStream<CachedResponse>.makeStream()

        func ask(_ proposal: CachedResponse) async -> CachedResponse? {
            asked.yield(proposal)
            for await answer in answers { return answer }
            return nil
        }

        func proposal() async -> CachedResponse? {
            for await proposal in questions { return proposal }
            return nil
        }

        func answer(_ answer: CachedResponse?) { given.yield(answer) }
    }

    private func exchange(
        _ fixture: CacheFixture,
        with hook: @escaping @Sendable (CachedResponse) async -> CachedResponse?
    ) -> Exchange {
        var exchange = fixture.exchange()
        exchange.willCacheResponse = .decide(hook)
        return exchange
    }

    private func fixture(_ control: String = "max-age=60") -> CacheFixture {
        CacheFixture { _, number in
            .init(200, ["Cache-Control": control, "X-A": "b"], body: "\(number)")
        }
    }

    private func send(
        _ fixture: CacheFixture,
        _ hook: @escaping @Sendable (CachedResponse) async -> CachedResponse?
    ) async -> Caller.Received {
        let received = await fixture.send(exchange(fixture, with: hook))
        await fixture.clock.idle()
        return received
    }

    @Test("it gets what would be stored, and what it returns is stored")
    func change() async {
        let fixture = fixture()
        let first = await send(fixture) { proposal in
            #expect(proposal.url == "http://a.test/" && proposal.statusCode == 200)
            #expect(proposal["x-a"] == "b" && proposal.storagePolicy == .allowed)
            var changed = proposal
            changed["Cache-Control"] = "max-age=5"
            changed["X-A"] = nil
            changed["X-B"] = "c"
            return changed
        }
        #expect(first["X-A"] == "b" && first["X-B"] == nil)
        let second = await fixture.send()
        #expect(second.isHit && second["X-A"] == nil && second["X-B"] == "c")
        await fixture.clock.advance(by: .seconds(6))
        #expect(await !fixture.send().isHit)
    }

    @Test("without an answer, or with one that RFC 9111 forbids, nothing is stored")
    func refusal() async {
        let fixture = fixture()
        _ = await send(fixture) { _ in nil }
        #expect(fixture.store.count == 0)
        for (name, value) in [
            ("Cache-Control", "no-store"), ("Cache-Control", "private"), ("Vary", "*"),
            ("Set-Cookie", "a=b"),
        ] {
            _ = await send(fixture) { proposal in
                var proposal = proposal
                proposal[name] = value
                return proposal
            }
            #expect(fixture.store.count == 0, "\(name): \(value)")
        }
        _ = await send(fixture) { proposal in
            var proposal = proposal
            proposal.storagePolicy = .notAllowed
            return proposal
        }
        #expect(fixture.store.count == 0)
    }

    @Test("it is not asked about a response that must not be stored")
    func unasked() async {
        let fixture = fixture("no-store")
        let received = await send(fixture) { proposal in
            Issue.record("asked")
            return proposal
        }
        #expect(received.text == "1" && fixture.store.count == 0)
    }

    @Test("a response that is allowed in memory alone says so to the store")
    func memory() async {
        let fixture = fixture()
        _ = await send(fixture) { proposal in
            var proposal = proposal
            proposal.storagePolicy = .allowedInMemoryOnly
            return proposal
        }
        let found = Locked<[StoredResponse]>([])
        fixture.store.find(CacheKey(url: "http://a.test/")) { stored in
            found.withLock { $0 = stored }
        }
        #expect(found.withLock { $0 }.map(\.isAllowedOnDisk) == [false])
        #expect(await fixture.send().isHit)
    }

    @Test("its caller does not wait for it, and others wait until they know whose the response is")
    func waiting() async {
        for isAllowed in [true, false] {
            let fixture = fixture()
            let question = Question()
            let callers = (0..<3).map { _ in Caller() }
            fixture.origin.hold()
            fixture.cache.start(
                exchange(fixture, with: { await question.ask($0) }), reportingTo: callers[0])
            for caller in callers[1...] {
                fixture.cache.start(fixture.exchange(), reportingTo: caller)
            }
            fixture.origin.release()
            #expect(await callers[0].result().text == "1")
            let proposal = await question.proposal()
            #expect(callers[1...].allSatisfy { $0.received.head == nil })
            #expect(fixture.origin.requests.count == 1)
            question.answer(isAllowed ? proposal : nil)
            let texts = [await callers[1].result().text, await callers[2].result().text]
            #expect(texts == (isAllowed ? ["1", "1"] : ["2", "2"]))
            if isAllowed { #expect(callers[1].received.cache?.isStored == true) }
        }
    }

    @Test("who only observes has no influence, and hears of each response that is stored")
    func observed() async {
        let fixture = fixture()
        let urls = Locked<[String]>([])
        var exchange = fixture.exchange()
        exchange.willCacheResponse = .observe { proposal in
            urls.withLock { $0.append("\(proposal.url) \(proposal.statusCode)") }
        }
        #expect(await fixture.send(exchange).cache?.isStored == true)
        #expect(await fixture.send(exchange).isHit)
        #expect(urls.withLock { $0 } == ["http://a.test/ 200"])
    }

    @Test("a hook can ask for the same resource itself")
    func nested() async {
        let fixture = fixture()
        let received = await send(fixture) { proposal in
            let inner = await fixture.send()
            return inner.text == "2" ? proposal : nil
        }
        #expect(received.text == "1" && fixture.store.count == 1)
    }

    @Test("it cannot give a response to those for whom the server has selected another one")
    func vary() async {
        let fixture = CacheFixture { exchange, number in
            .init(200, ["Cache-Control": "max-age=60", "Vary": "X-Tenant"], body: "\(number)")
        }
        let hook: @Sendable (CachedResponse) async -> CachedResponse? = { proposal in
            var proposal = proposal
            proposal["Vary"] = nil
            return proposal
        }
        var exchange = fixture.exchange("GET", "http://a.test/", ["X-Tenant": "a"])
        exchange.willCacheResponse = .decide(hook)
        _ = await fixture.send(exchange)
        await fixture.clock.idle()
        #expect(await fixture.send("GET", "http://a.test/", ["X-Tenant": "a"]).text == "1")
        #expect(await fixture.send("GET", "http://a.test/", ["X-Tenant": "b"]).text == "2")
    }

    @Test("a body that is too large is not stored, although it comes before the answer")
    func tooLarge() async {
        var policy = CachePolicy.shared
        policy.maximumBodySize = 1_000
        let fixture = CacheFixture(policy)
        let question = Question()
        let caller = Caller()
        fixture.origin.hold()
        fixture.cache.start(
            exchange(fixture, with: { await question.ask($0) }), reportingTo: caller)
        let head = Exchange.Head(
            statusCode: 200, fields: [Exchange.Field(name: "Cache-Control", value: "max-age=60")])
        fixture.origin.held[0].report(
            Exchange.Report(
                head: head, body: [Exchange.Chunk(Data(count: 2_000))], end: Exchange.End()))
        #expect(await caller.result().body.count == 2_000)
        question.answer(await question.proposal())
        await fixture.clock.idle()
        #expect(fixture.store.count == 0)
    }

    @Test("what is in memory alone stays there when it is validated")
    func stillMemory() async {
        let fixture = CacheFixture { exchange, _ in
            let isValid = exchange.fields.contains { $0.name == "If-None-Match" }
            return .init(
                isValid ? 304 : 200, ["Cache-Control": "no-cache", "ETag": "\"a\""], body: "")
        }
        _ = await send(fixture) { proposal in
            var proposal = proposal
            proposal.storagePolicy = .allowedInMemoryOnly
            return proposal
        }
        _ = await send(fixture) { $0 }
        let found = Locked<[StoredResponse]>([])
        fixture.store.find(CacheKey(url: "http://a.test/")) { stored in
            found.withLock { $0 = stored }
        }
        #expect(found.withLock { $0 }.map(\.isAllowedOnDisk) == [false])
    }

    @Test("a failure, and the cancellation of its caller, do not lose those who wait")
    func lost() async {
        for isCancelled in [true, false] {
            let fixture = fixture()
            let question = Question()
            let callers = [Caller(), Caller()]
            fixture.origin.hold()
            let transfers = [
                fixture.cache.start(
                    exchange(fixture, with: { await question.ask($0) }), reportingTo: callers[0]),
                fixture.cache.start(fixture.exchange(), reportingTo: callers[1]),
            ]
            let server = fixture.origin.held[0]
            let head = Exchange.Head(
                statusCode: 200,
                fields: [Exchange.Field(name: "Cache-Control", value: "max-age=60")])
            server.report(Exchange.Report(head: head, body: [Exchange.Chunk(Data("ab".utf8))]))
            let proposal = await question.proposal()
            if isCancelled {
                transfers[0].cancel()
                question.answer(proposal)
                server.report(Exchange.Report(end: Exchange.End()))
                #expect(await callers[1].result().text == "ab")
                #expect(fixture.origin.cancelCount == 0)
            } else {
                let failure = Exchange.Failure(.networkConnectionLost, message: "gone")
                server.report(Exchange.Report(end: Exchange.End(failure: failure)))
                for caller in callers {
                    let received = await caller.result()
                    #expect(received.failure?.code == .networkConnectionLost)
                    #expect(received.endCount == 1)
                }
                question.answer(proposal)
                await fixture.clock.idle()
                #expect(fixture.store.count == 0)
            }
            withExtendedLifetime(transfers) {}
        }
    }

    @Test("a validation asks again, so that a lifetime that it has shortened stays short")
    func validation() async {
        let fixture = CacheFixture { exchange, _ in
            let isValid = exchange.fields.contains { $0.name == "If-None-Match" }
            return .init(
                isValid ? 304 : 200, ["Cache-Control": "max-age=60", "ETag": "\"a\""],
                body: isValid ? "" : "x")
        }
        let hook: @Sendable (CachedResponse) async -> CachedResponse? = { proposal in
            // As a hook that waits would find out.
            await Task.yield()
            #expect(!Task.isCancelled)
            var proposal = proposal
            proposal["Cache-Control"] = "max-age=5"
            return proposal
        }
        _ = await send(fixture, hook)
        for _ in 0..<2 {
            await fixture.clock.advance(by: .seconds(6))
            let validated = await send(fixture, hook)
            #expect(validated.text == "x" && validated.cache?.forwardStatus == 304)
        }
        #expect(await fixture.send().isHit)
        await fixture.clock.advance(by: .seconds(6))
        _ = await send(fixture) { _ in nil }
        #expect(fixture.store.count == 0)
    }
}
