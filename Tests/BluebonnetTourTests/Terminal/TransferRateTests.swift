import Testing

@testable import BluebonnetTour

@Suite("The rate of a transfer")
struct TransferRateTests {
    @Test("it is unknown at first, then the mean of the last five seconds")
    func smoothed() {
        var rate = TransferRate()
        #expect(rate.bytesPerSecond(at: .zero) == nil)
        rate.record(bytes: 500, at: .zero)
        #expect(rate.bytesPerSecond(at: .milliseconds(99)) == nil)
        rate.record(bytes: 600, at: .milliseconds(100))
        #expect(rate.bytesPerSecond(at: .milliseconds(100)) == 1000)
        // Ten seconds at 1000 a second, then five at 3000.
        for tenth in 2...100 {
            rate.record(bytes: 500 + Int64(tenth) * 100, at: .milliseconds(tenth * 100))
        }
        #expect(rate.bytesPerSecond(at: .seconds(10)) == 1000)
        for tenth in 1...50 {
            rate.record(bytes: 10_500 + Int64(tenth) * 300, at: .milliseconds(10_000 + tenth * 100))
        }
        #expect(rate.bytesPerSecond(at: .seconds(15)) == 3000)
    }

    @Test("it falls to zero within five seconds without bytes, and forgets the pause as fast")
    func stalled() {
        var rate = TransferRate()
        for second in 0...10 { rate.record(bytes: Int64(second) * 1000, at: .seconds(second)) }
        #expect(rate.bytesPerSecond(at: .seconds(12)) == 600)
        #expect(rate.bytesPerSecond(at: .seconds(60)) == 0)
        for second in 60...65 {
            rate.record(bytes: 10_000 + Int64(second - 60) * 1000, at: .seconds(second))
        }
        #expect(rate.bytesPerSecond(at: .seconds(65)) == 1000)
    }

    @Test("fewer bytes than before start a new measurement")
    func restarted() {
        var rate = TransferRate()
        rate.record(bytes: 0, at: .zero)
        rate.record(bytes: 9000, at: .seconds(1))
        rate.record(bytes: 100, at: .seconds(2))
        #expect(rate.bytesPerSecond(at: .seconds(2)) == nil)
        rate.record(bytes: 300, at: .seconds(3))
        #expect(rate.bytesPerSecond(at: .seconds(3)) == 200)
    }

    @Test("closer samples than a tenth of a second still count")
    func dense() {
        var rate = TransferRate()
        for millisecond in 0...1050 {
            rate.record(bytes: Int64(millisecond), at: .milliseconds(millisecond))
        }
        #expect(rate.bytesPerSecond(at: .milliseconds(1050)) == 1000)
    }
}
