import BluebonnetTransport
import Foundation
import Testing

@Suite("Adapting Swift clocks", .timeLimit(.minutes(5)))
struct ClockAdapterTests {
    @Test("time and date advance with the adapted clock")
    func time() {
        let base = SleeplessClock()
        let date = Date(timeIntervalSince1970: 1_000_000)
        let clock = ClockAdapter(base, startingAt: date)
        #expect(clock.now == .zero)
        #expect(clock.date == date)
        base.advance(by: .seconds(90))
        #expect(clock.now == .seconds(90))
        #expect(clock.date == date + 90)
    }

    @Test("a timer is called when the clock's sleep reaches its deadline")
    func timer() async {
        let base = SleeplessClock()
        let clock = ClockAdapter(base)
        base.advance(by: .seconds(10))
        await withCheckedContinuation { continuation in
            clock.schedule(after: .seconds(5)) { continuation.resume() }
        }
        #expect(base.deadlines == [.seconds(15)])
    }

    @Test(
        "delays too long for the clock are shortened, and negative ones are zero",
        arguments: [
            (Duration(attoseconds: .max), .seconds(100 * 366 * 86_400)), (.seconds(-5), .zero),
        ] as [(Duration, Duration)])
    func extremes(delay: Duration, deadline: Duration) async {
        let base = SleeplessClock()
        await withCheckedContinuation { continuation in
            ClockAdapter(base).schedule(after: delay) { continuation.resume() }
        }
        #expect(base.deadlines == [deadline])
    }

    @Test("a canceled timer releases its closure at once and stops sleeping")
    func cancellation() async {
        let clock = ClockAdapter(ContinuousClock())
        weak var held: Captured?
        let timer: any SessionTimer
        let (released, release) = AsyncStream.makeStream(of: Void.self)
        do {
            let captured = Captured { release.finish() }
            held = captured
            timer = clock.schedule(after: .seconds(3600)) { withExtendedLifetime(captured) {} }
        }
        #expect(held != nil)
        timer.cancel()
        for await _ in released {}
        timer.cancel()
    }
}

/// An object captured by a timer's closure that reports its release.
private final class Captured: Sendable {
    private let released: @Sendable () -> Void

    init(_ released: @escaping @Sendable () -> Void) {
        self.released = released
    }

    deinit { released() }
}

/// A clock on which sleeping takes no time.
private final class SleeplessClock: Clock {
    struct Instant: InstantProtocol {
        var time: Duration

        func advanced(by duration: Duration) -> Instant { Instant(time: time + duration) }
        func duration(to other: Instant) -> Duration { other.time - time }
        static func < (left: Instant, right: Instant) -> Bool { left.time < right.time }
    }

    private let state = Locked((time: Duration.zero, deadlines: [Duration]()))

    var now: Instant { Instant(time: state.withLock { $0.time }) }
    var minimumResolution: Duration { .zero }
    /// The deadlines of the sleeps.
    var deadlines: [Duration] { state.withLock { $0.deadlines } }

    func advance(by duration: Duration) { state.withLock { $0.time += duration } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        state.withLock { $0.deadlines.append(deadline.time) }
    }
}
