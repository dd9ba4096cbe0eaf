import Bluebonnet
import BluebonnetTestSupport
import BluebonnetTesting
import Testing

@Suite("Work on transports that wrap others", .timeLimit(.minutes(1)))
struct WrappedTransportTests {
    /// A transport of a user's own, which knows nothing of clocks.
    private struct Tagging: Transport {
        let below: any Transport

        func transfer(
            for exchange: Exchange, reportingTo sink: any ExchangeSink
        ) -> any Transfer {
            var exchange = exchange
            exchange.fields.append(Exchange.Field(name: "X-Tag", value: "1"))
            return below.transfer(for: exchange, reportingTo: sink)
        }
    }

    private let clock = ManualClock()
    private let stub = StubTransport()

    private func api(
        on transport: any Transport, _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) -> HTTPSessionManager {
        var configuration = SessionConfiguration()
        configuration.clock = clock
        change(&configuration)
        return HTTPSessionManager(
            baseURL: URL(string: "http://a.test/"), configuration: configuration,
            transport: transport)
    }

    @Test("a stub below a transport of a user's own waits for the clock")
    func wrappedStub() async throws {
        stub.on("/a", .text("a").after(.seconds(5)))
        let api = api(on: Tagging(below: Tagging(below: stub)))
        #expect(try await clock.run { try await api.text("a") } == "a")
        #expect(clock.now == .seconds(5))
        #expect(stub.requests.map { $0.headers["X-Tag"] } == ["1"])
        // What is told behind the response is work, too.
        await clock.idle()
        #expect(clock.description.hasSuffix(" 0 timers, 0 at work"))
    }

    @Test("faults below and above a transport of a user's own take their time on the clock")
    func wrappedFaults() async throws {
        stub.on("/a", .text("a").after(.seconds(5)))
        let lower = FaultyTransport(around: stub)
        lower.inject(.stall(for: .seconds(3)))
        let upper = FaultyTransport(around: Tagging(below: lower))
        upper.inject(.stall(for: .seconds(2)))
        let api = api(on: upper) { $0.timeouts.idle = 60 }
        #expect(try await clock.run { try await api.text("a") } == "a")
        #expect(clock.now == .seconds(10))
        await clock.idle()
    }

    @Test(
        "a transport that never ends an exchange does not hold up the clock once it has taken it over"
    )
    func takenOver() async {
        struct Endless: Transport {
            func transfer(
                for exchange: Exchange, reportingTo sink: any ExchangeSink
            ) -> any Transfer {
                AnsweringTransfer(exchange, reportingTo: sink) { $0.exchange.takeOverWork() }
            }
        }
        let api = api(on: Endless()) { $0.timeouts.whole = 7 }
        let error = await clock.run {
            await #expect(throws: BluebonnetError.self) { try await api.text("a") }
        }
        #expect(error?.timeout == .whole && clock.now == .seconds(7))
        await clock.idle()
        #expect(clock.pendingCount == 0)
    }

    @Test(
        "a transport that never ends a cancelled exchange holds up the clock for a second at most")
    func neverEnds() async {
        struct Mute: Transport {
            final class Nothing: Transfer {
                func begin() {}
                func cancel() {}
                func suspend() {}
                func resume() {}
                func didConsume(_ count: Int) {}
            }

            func transfer(
                for exchange: Exchange, reportingTo sink: any ExchangeSink
            ) -> any Transfer { Nothing() }
        }
        let api = api(on: Mute())
        let error = await clock.run {
            await withCheckedContinuation { continuation in
                let serializer = StringResponseSerializer()
                api.get("a", serializer: serializer) { continuation.resume(returning: $0.error) }
                    .cancel()
            }
        }
        #expect(error?.isCancelled == true)
        // The session went on when its own second was over.
        #expect(clock.now == .seconds(1))
        await clock.idle()
    }

    @Test("no timer is left behind a task that was cancelled")
    func timers() async {
        stub.on("/a", .silence)
        let api = api(on: stub) { ($0.timeouts.whole, $0.timeouts.idle) = (60, 30) }
        let task = api.get("a") { _ in }
        await clock.idle()
        #expect(clock.pendingCount == 2)
        task.cancel()
        await clock.idle()
        #expect(clock.pendingCount == 0)
    }
}
