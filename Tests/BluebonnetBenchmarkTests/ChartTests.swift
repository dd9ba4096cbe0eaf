import Foundation
import FoundationXML
import Testing

@testable import BluebonnetBenchmark

@Suite("The charts")
struct ChartTests {
    private func elements(_ svg: String) throws -> [XMLElement] {
        let document = try XMLDocument(data: Data(svg.utf8))
        let root = try #require(document.rootElement())
        #expect(root.name == "svg")
        return root.children?.compactMap { $0 as? XMLElement } ?? []
    }

    private func number(_ name: String, _ element: XMLElement) -> Double {
        (element.attributes ?? []).first { $0.name == name }
            .flatMap { Double($0.stringValue ?? "") } ?? .nan
    }

    @Test("the length of a bar is its share of the longest bar in its group")
    func bars() throws {
        func bar(_ value: Double) -> BarChart.Bar {
            BarChart.Bar(name: "n", value: value, label: "l", color: 1)
        }
        let chart = BarChart(
            title: "t",
            groups: [
                BarChart.Group(title: "one", bars: [bar(50), bar(100)]),
                BarChart.Group(title: "two", bars: [bar(3)]),
            ])
        let all = try elements(chart.svg)
        let widths = all.filter { $0.name == "rect" }.map { number("width", $0) }
        #expect(widths.count == 3)
        #expect(widths.first == widths.last.map { $0 / 2 })
        #expect(widths.dropFirst().first == widths.last)
        let lowest = try #require(all.map { number("y", $0) }.filter { !$0.isNaN }.max())
        let root = try XMLDocument(data: Data(chart.svg.utf8)).rootElement()
        let height = number("height", try #require(root))
        #expect(height > lowest)
        #expect(height < lowest + 40)
    }

    @Test("there are colors for light and dark pages")
    func themes() {
        let svg = SVGDocument(width: 10, height: 10).text
        #expect(svg.contains("prefers-color-scheme: dark"))
        for (index, client) in Client.allCases.enumerated()
        where BenchmarkCase.all.contains(where: { client.takesPart(in: $0) }) {
            #expect(svg.components(separatedBy: ".fill\(index) ").count == 3)
        }
    }

    @Test("characters that are special in markup are escaped")
    func escaped() throws {
        var document = SVGDocument(width: 10, height: 10)
        document.text("a < b & c > d", x: 0, y: 0, class: "label")
        let text = try elements(document.text).first { $0.name == "text" }
        #expect(text?.stringValue == "a < b & c > d")
    }

    @Test("the axis of a line chart starts at zero and ends at a round number")
    func lines() throws {
        func chart(_ values: [Double]) -> LineChart {
            LineChart(
                title: "t", ticks: ["1", "2"], series: [LineChart.Series(name: "s", values: values)]
            )
        }
        #expect(chart([3, 39]).top == 40)
        #expect(chart([40]).top == 40)
        #expect(chart([41]).top == 80)
        #expect(chart([81]).top == 100)
        #expect(chart([0.15]).top == 0.2)
        #expect(chart([]).top == 1)
        let points = try elements(chart([0, 40]).svg).filter { $0.name == "circle" }
        #expect(points.map { number("cy", $0) } == [260, 34])
        #expect(points.map { number("cx", $0) } == [90, 660])
    }

    @Test("the results are drawn by case, with their figures")
    func results() {
        let entry = ResultsFile.Entry(
            benchmarkCase: "small-get-64", client: "go", requestsPerSecond: 35_123,
            cpuMicrosecondsPerRequest: 1, seconds: 1, peakMemoryMebibytes: 1, idleMemoryMebibytes: 1
        )
        let groups = ResultsChart(ResultsFile(results: [entry], machine: .current())).chart.groups
        #expect(groups.map(\.title) == ["Small bodies, 64 at a time"])
        #expect(groups.first?.bars.first?.label == "35123")
    }
}
