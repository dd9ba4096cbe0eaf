import BluebonnetTestSupport
import Foundation
import Glibc
import Testing

@testable import BluebonnetTransport

@Suite("The system's clock", .timeLimit(.minutes(5)))
struct SystemClockTests {
    private let clock = SystemClock.shared

    @Test("it never goes back, and agrees with the kernel")
    func now() {
        let kernel = Duration.nanoseconds(MonotonicClock.nanoseconds)
        let times = (0..<1000).map { _ in clock.now }
        #expect(times == times.sorted())
        #expect(times[0] >= kernel)
        #expect(times[999] <= .nanoseconds(MonotonicClock.nanoseconds))
        #expect(abs(clock.date.timeIntervalSinceNow) < 5)
    }

    @Test("it is written as .system where a clock is expected")
    func leadingDot() {
        func take(_ clock: some SessionClock) -> Duration { clock.now }
        #expect(take(.system) > .zero)
    }

    @Test("a timer is called once, after its delay")
    func delay() async {
        let start = clock.now
        let end = await withCheckedContinuation { continuation in
            clock.schedule(after: .milliseconds(20)) { continuation.resume(returning: clock.now) }
        }
        #expect(end - start >= .milliseconds(20))
    }

    @Test(
        "zero and negative delays mean at once",
        arguments: [.zero, .seconds(-1), Duration(attoseconds: .min)])
    func atOnce(delay: Duration) async {
        await withCheckedContinuation { continuation in
            clock.schedule(after: delay) { continuation.resume() }
        }
    }

    @Test(
        "an endless delay waits and can be canceled",
        arguments: [.seconds(Int64.max), Duration(attoseconds: .max)])
    func endless(delay: Duration) {
        let clock = SystemClock.withoutThread
        let timer = clock.schedule(after: delay) {}
        #expect(clock.pendingCount == 1)
        timer.cancel()
        #expect(clock.pendingCount == 0)
    }

    @Test("timers are called in the order of their deadlines, in whatever order they were added")
    func order() async {
        let called = Locked<[Int]>([])
        await withCheckedContinuation { continuation in
            for number in (1...5).reversed() {
                clock.schedule(after: .milliseconds(20 * number)) {
                    let isLast = called.withLock { called in
                        called.append(number)
                        return called.count == 5
                    }
                    if isLast { continuation.resume() }
                }
            }
        }
        #expect(called.withLock { $0 } == [1, 2, 3, 4, 5])
    }

    @Test("a timer before all others wakes the thread")
    func earlier() async {
        let late = clock.schedule(after: .seconds(3600)) {}
        for _ in 0..<20 {
            await withCheckedContinuation { continuation in
                clock.schedule(after: .microseconds(100)) { continuation.resume() }
            }
        }
        late.cancel()
    }

    @Test("a canceled timer releases its closure at once")
    func release() {
        weak var held: Captured?
        let timer: any SessionTimer
        do {
            let captured = Captured()
            held = captured
            timer = clock.schedule(after: .seconds(3600)) { withExtendedLifetime(captured) {} }
        }
        #expect(held != nil)
        timer.cancel()
        #expect(held == nil)
        timer.cancel()
    }

    @Test("a timer can be canceled within another, even if both have expired")
    func cancellationWithin() async {
        let called = Locked<[String]>([])
        let other = Locked<(any SessionTimer)?>(nil)
        await withCheckedContinuation { continuation in
            // This call occupies the clock's thread while the others are added.
            clock.schedule(after: .zero) { [clock] in
                clock.schedule(after: .zero) {
                    called.withLock { $0.append("first") }
                    other.withLock { $0 }?.cancel()
                }
                let timer = clock.schedule(after: .zero) { called.withLock { $0.append("second") } }
                other.withLock { $0 = timer }
                clock.schedule(after: .zero) { continuation.resume() }
            }
        }
        #expect(called.withLock { $0 } == ["first"])
    }

    @Test("timers can be added and canceled on many threads")
    func contention() async {
        let called = Locked(0)
        await withTaskGroup { group in
            for user in 0..<1000 {
                group.addTask { [clock] in
                    let canceled = (0..<10).map { _ in
                        clock.schedule(after: .seconds(60)) { Issue.record("not canceled") }
                    }
                    await withCheckedContinuation { continuation in
                        clock.schedule(after: .microseconds(user * 10)) {
                            called.withLock { $0 += 1 }
                            continuation.resume()
                        }
                    }
                    for timer in canceled { timer.cancel() }
                }
            }
        }
        #expect(called.withLock { $0 } == 1000)
    }

    @Test("a hundred thousand timers are added and canceled quickly")
    func many() {
        let count = 100_000
        var generator = SeededGenerator(seed: 1)
        let delays = (0..<count).map { _ in Int.random(in: 600...6000, using: &generator) }
        let clock = SystemClock.withoutThread
        let start = self.clock.now
        var timers = delays.map { clock.schedule(after: .seconds($0)) {} }
        let added = self.clock.now
        #expect(clock.pendingCount == count)
        timers.shuffle(using: &generator)
        let shuffled = self.clock.now
        for timer in timers { timer.cancel() }
        let time = (added - start) + (self.clock.now - shuffled)
        #expect(clock.pendingCount == 0)
        #expect(ProcessState.isSanitized || time < .seconds(10))
    }

    @Test("a clock that gets no thread tries again and keeps all timers")
    func threadRefused() async {
        let refusals = Locked(2)
        let clock = SystemClock { body throws(ThreadNotStarted) in
            let isRefused = refusals.withLock { refusals in
                defer { refusals -= 1 }
                return refusals > 0
            }
            if isRefused { throw ThreadNotStarted(code: EAGAIN) }
            try NamedThread.startDetached("test-time", running: body)
        }
        await withCheckedContinuation { continuation in
            clock.schedule(after: .zero) { continuation.resume() }
        }
        #expect(refusals.withLock { $0 } == -1)
    }
}

/// An object captured by a timer's closure.
private final class Captured: Sendable {}

extension SystemClock {
    /// A clock that keeps timers and never calls them.
    fileprivate static var withoutThread: SystemClock { SystemClock { _ in } }
}
