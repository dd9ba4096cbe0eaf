import Testing

@testable import BluebonnetBenchmark

@Suite("The median of several rounds")
struct StatisticTests {
    @Test("it is the middle value or the mean of the middle two, with the extremes")
    func median() throws {
        let odd = try #require(Statistic([9.0, 1, 4]))
        #expect(odd.median == 4)
        #expect(odd.smallest == 1)
        #expect(odd.largest == 9)
        #expect(try #require(Statistic([8.0, 1, 2, 4])).median == 3)
        #expect(Statistic([Double]()) == nil)
    }

    @Test("it is written with the extremes if there are several values")
    func text() throws {
        #expect(try #require(Statistic([31.24, 30.81, 33])).text(digits: 1) == "31.2 (30.8–33.0)")
        #expect(try #require(Statistic([2.0])).text(digits: 0) == "2")
    }
}
