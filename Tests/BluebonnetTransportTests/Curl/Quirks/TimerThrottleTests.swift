import Testing

@testable import BluebonnetTransport

@Suite("A timer that libcurl repeatedly sets to now")
struct TimerThrottleTests {
    @Test("from the seventeenth time on it waits 10 ms, while nothing else moves in the pool")
    func throttling() {
        var throttle = TimerThrottle()
        for _ in 0..<16 { #expect(throttle.delay { true } == 0) }
        #expect(throttle.delay { false } == 0)
        #expect(throttle.delay { true } == 0.01)
        #expect(throttle.isThrottling)
        throttle.reset()
        #expect(!throttle.isThrottling)
        #expect(throttle.delay { true } == 0)
    }
}
