import Testing

@testable import BluebonnetBenchmark

@Suite("How the cost of a request grows")
struct ScalingTests {
    @Test("each axis spans three orders of magnitude", arguments: ScalingAxis.allCases)
    func decades(axis: ScalingAxis) throws {
        let (first, last) = (try #require(axis.values.first), try #require(axis.values.last))
        #expect(last == first * 1000)
        #expect(axis.values.count == 4)
    }

    @Test("a point has a name, from which a client process creates it again")
    func names() {
        let point = ScalingPoint(axis: .hosts, value: 1000)
        #expect(point.name == "scaling-hosts-1000")
        #expect(ScalingPoint(name: point.name) == point)
        for name in ["small-get-64", "scaling-hosts-0", "scaling-moons-1", "scaling-hosts"] {
            #expect(ScalingPoint(name: name) == nil)
        }
    }

    @Test("growth is the median cost at the largest value, divided by that at the smallest")
    func growth() {
        var report = ScalingReport()
        for cost in [9.0, 10, 50] { report.add(cost, at: ScalingPoint(axis: .tasks, value: 10)) }
        report.add(15, at: ScalingPoint(axis: .tasks, value: 10_000))
        #expect(report.growth(.tasks) == 1.5)
        #expect(report.growth(.hosts) == nil)
        #expect(report.text(inMarkdown: false).contains("10.0 (9.0–50.0)"))
        #expect(report.chart.series.map(\.name) == ["other tasks in flight, 10 to 10000"])
        #expect(report.chart.series.first?.values == [10, 15])
    }

    @Test("a single axis can be selected, and an unknown axis is refused")
    func options() throws {
        #expect(try ScalingOptions([]).axes == ScalingAxis.allCases)
        #expect(try ScalingOptions(["--axis", "hosts"]).axes == [.hosts])
        #expect(try ScalingOptions(["--quick", "--rounds", "2"]).rounds == 2)
        #expect(throws: UsageError.self) { try ScalingOptions(["--axis", "moons"]) }
        #expect(throws: UsageError.self) { try ScalingOptions(["--json", "x"]) }
    }
}
