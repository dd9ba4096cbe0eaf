import BluebonnetFixtureServer
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@Suite("Throttled bodies", .timeLimit(.minutes(5)))
struct ThrottledBodyTests {
    let fixture: TransportFixture

    init() throws {
        fixture = try TransportFixture()
    }

    @Test("they are read one packet per delay of the clock, and arrive completely")
    func packets() async throws {
        let clock = SteppedClock()
        let read = Locked(0)
        let bytes = DeterministicBytes.prefix(25_000)
        guard
            case .stream(var stream) = Exchange.Body.scripted(
                bytes, length: 25_000, pieceSize: 3_000,
                before: { offset in read.withLock { $0 = offset } })
        else { return }
        stream.throttle = BodyThrottle(packetSize: 10_000, delay: .seconds(3600), clock: clock)
        let (recorder, _) = fixture.transport.begin(
            fixture.exchange("/echo-body", method: "POST").with { $0.body = .stream(stream) })
        for number in 1...2 {
            // During the delay, it has read only whole packets.
            #expect(await clock.sleeper(number) == .seconds(3600))
            #expect(read.withLock { $0 } < number * 10_000)
            #expect(recorder.now.ends.isEmpty)
            clock.wake()
        }
        #expect(await Array(recorder.atEnd.body) == bytes)
        #expect(clock.count == 2)
    }

    @Test("they are not read ahead for a blocked connection, so no burst follows")
    func noBurst() async throws {
        let clock = SteppedClock()
        let bytes = DeterministicBytes.prefix(50_000)
        guard case .stream(var stream) = Exchange.Body.scripted(bytes, length: 50_000) else {
            return
        }
        stream.throttle = BodyThrottle(packetSize: 10_000, delay: .seconds(1), clock: clock)
        let (recorder, transfer) = fixture.transport.begin(
            fixture.exchange("/echo-body", method: "POST").with {
                $0.body = .stream(stream)
                $0.reportsSending = true
            })
        _ = await clock.sleeper(1)
        while recorder.now.sentCounts.isEmpty {
            _ = await fixture.transport.perform(fixture.exchange("/text"))
        }
        transfer.suspend()
        // The loop has received the consumption before it answers this.
        _ = await fixture.transport.perform(fixture.exchange("/text"))
        clock.wake()
        // From here on, one packet waits.
        _ = await clock.sleeper(2)
        clock.wake()
        for _ in 0..<20 { _ = await fixture.transport.perform(fixture.exchange("/text")) }
        #expect(clock.count == 2)
        transfer.resume()
        for number in 3...4 {
            _ = await clock.sleeper(number)
            clock.wake()
        }
        #expect(await Array(recorder.atEnd.body) == bytes)
    }

    @Test("they delay no other exchange, and can be canceled while they wait")
    func waiting() async throws {
        // More than the threads for blocking work.
        let fixture = try TransportFixture(pool: Exchange.Pool(maximumConnectionsPerHost: 300))
        let clock = SteppedClock()
        guard case .stream(var stream) = Exchange.Body.scripted([1, 2, 3], length: 3) else {
            return
        }
        stream.throttle = BodyThrottle(packetSize: 1, delay: .seconds(1), clock: clock)
        let exchange = fixture.exchange("/echo-body", method: "POST").with {
            $0.body = .stream(stream)
        }
        let started = (0..<200).map { _ in fixture.transport.begin(exchange) }
        _ = await clock.sleeper(200)
        #expect(await fixture.transport.perform(fixture.exchange("/text")).failure == nil)
        for (recorder, transfer) in started {
            transfer.cancel()
            #expect(await recorder.atEnd.failure?.code == .cancelled)
        }
        clock.wake()
    }
}

/// A clock whose sleepers the test wakes.
final class SteppedClock: Clock, Sendable {
    typealias Instant = ContinuousClock.Instant

    private struct State {
        var delays: [Duration] = []
        var sleeping: [CheckedContinuation<Void, Never>] = []
        var waiting: [(count: Int, CheckedContinuation<Void, Never>)] = []
    }

    private let state = Locked(State())
    private let start = ContinuousClock.now

    var now: Instant { start }
    var minimumResolution: Duration { .zero }
    var count: Int { state.withLock { $0.delays.count } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        await withCheckedContinuation { continuation in
            let ready = state.withLock { state in
                state.delays.append(start.duration(to: deadline))
                state.sleeping.append(continuation)
                let count = state.delays.count
                defer { state.waiting.removeAll { $0.count <= count } }
                return state.waiting.filter { $0.count <= count }
            }
            for waiter in ready { waiter.1.resume() }
        }
    }

    /// Waits for the sleep with this number, counted from 1, and returns its duration.
    func sleeper(_ number: Int) async -> Duration {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.delays.count < number { state.waiting.append((number, continuation)) }
                return state.delays.count >= number
            }
            if isThere { continuation.resume() }
        }
        return state.withLock { $0.delays[number - 1] }
    }

    func wake() {
        let sleeping = state.withLock { state in
            defer { state.sleeping = [] }
            return state.sleeping
        }
        for sleeper in sleeping { sleeper.resume() }
    }
}
