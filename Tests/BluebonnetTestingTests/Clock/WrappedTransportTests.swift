import Bluebonnet
import BluebonnetTestSupport
import BluebonnetTesting
import Testing

@Suite("Work on transports that wrap others", .timeLimit(.minutes(1)))
struct WrappedTransportTests {
    /// A user's own transport, which does not know the clock.
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

    @Test("a stub below a user's own transport waits on the clock")
    func wrappedStub() async throws {
        stub.on("/a", .text("a").after(.seconds(5)))
        let api = api(on: Tagging(below: Tagging(below: stub)))
        #expect(try await clock.run { try await api.text("a") } == "a")
        #expect(clock.now == .seconds(5))
        #expect(stub.requests.map { $0.headers["X-Tag"] } == ["1"])
        // Callbacks after the response are work, too.
        await clock.idle()
        #expect(clock.description.hasSuffix(" 0 timers, 0 at work"))
    }

    @Test("faults below and above a user's own transport take their time on the clock")
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
        "a transport that took over the work and never ends an exchange does not stop the clock"
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
        "if a transport never ends a canceled exchange, the task completes after one second")
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
        // The session waited one second for the transport.
        #expect(clock.now == .seconds(1))
        await clock.idle()
    }

    @Test("a canceled task leaves no timer")
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
