import Testing

@testable import BluebonnetBenchmark

@Suite("Comparing a run with an earlier one")
struct ComparisonTests {
    private func entry(
        _ client: String, rate: Double, cpu: Double, peak: Double = 40,
        in name: String = "small-get-64"
    ) -> ResultsFile.Entry {
        ResultsFile.Entry(
            benchmarkCase: name, client: client, requestsPerSecond: rate,
            cpuMicrosecondsPerRequest: cpu, seconds: 1, peakMemoryMebibytes: peak,
            idleMemoryMebibytes: 30
        )
    }

    private func compare(
        _ earlier: [ResultsFile.Entry], _ later: [ResultsFile.Entry]
    ) -> Comparison {
        let machine = Machine.current()
        return Comparison(
            earlier: ResultsFile(results: earlier, machine: machine),
            later: ResultsFile(results: later, machine: machine), tolerance: 10
        )
    }

    @Test("a machine that is twice as slow for every client changes no ratio")
    func slowerMachine() throws {
        let comparison = compare(
            [entry("bluebonnet", rate: 30, cpu: 40), entry("c", rate: 60, cpu: 20)],
            [entry("bluebonnet", rate: 15, cpu: 80), entry("c", rate: 30, cpu: 40)])
        #expect(!comparison.isWorse)
        let line = try #require(comparison.lines.first)
        #expect(comparison.lines.count == 1)
        #expect(line.reference == "c")
        #expect(line.changes == [.rate: 1, .cpu: 1, .peak: 1])
    }

    @Test("the library's rate, CPU time and memory are judged separately, with a tolerance")
    func worse() throws {
        let earlier = [
            entry("bluebonnet", rate: 100, cpu: 100, peak: 100),
            entry("c", rate: 100, cpu: 100, peak: 100),
        ]
        func worse(_ rate: Double, _ cpu: Double, _ peak: Double) throws -> [Comparison.Figure] {
            let later = [entry("bluebonnet", rate: rate, cpu: cpu, peak: peak), earlier[1]]
            let comparison = compare(earlier, later)
            let line = try #require(comparison.lines.first)
            #expect(comparison.isWorse == !line.worse.isEmpty)
            return line.worse
        }
        #expect(try worse(91, 109, 109) == [])
        #expect(try worse(89, 100, 100) == [.rate])
        #expect(try worse(100, 111, 100) == [.cpu])
        #expect(try worse(100, 100, 111) == [.peak])
        #expect(try worse(150, 50, 50) == [])
    }

    @Test("a rival that got worse is shown but not judged")
    func rival() {
        let comparison = compare(
            [entry("go", rate: 60, cpu: 20), entry("c", rate: 60, cpu: 20)],
            [entry("go", rate: 6, cpu: 200), entry("c", rate: 60, cpu: 20)])
        #expect(!comparison.isWorse)
        #expect(comparison.lines.map(\.client) == ["go"])
        #expect(comparison.lines.first?.changes[.cpu] == 10)
    }

    @Test("in cases without C, the curl command is the reference")
    func curl() {
        let name = "large-download-1"
        let comparison = compare(
            [
                entry("bluebonnet", rate: 2, cpu: 1, in: name),
                entry("curl", rate: 2, cpu: 1, in: name),
            ],
            [
                entry("bluebonnet", rate: 1, cpu: 1, in: name),
                entry("curl", rate: 2, cpu: 1, in: name),
            ])
        #expect(comparison.lines.first?.reference == "curl")
        #expect(comparison.lines.first?.worse == [.rate])
    }

    @Test("an entry that only one run has, or that has no reference, is left out")
    func leftOut() {
        let own = entry("bluebonnet", rate: 30, cpu: 40)
        let reference = entry("c", rate: 60, cpu: 20)
        #expect(compare([own], [own]).lines.isEmpty)
        #expect(compare([own, reference], [own]).lines.isEmpty)
        #expect(compare([reference], [own, reference]).lines.isEmpty)
        let other = [
            entry("bluebonnet", rate: 1, cpu: 1, in: "hosts-1000"),
            entry("c", rate: 1, cpu: 1, in: "hosts-1000"),
        ]
        #expect(compare([own, reference], other).lines.isEmpty)
    }

    @Test("the report has a line for each client and names what got worse")
    func report() {
        let comparison = compare(
            [entry("bluebonnet", rate: 30, cpu: 40), entry("c", rate: 60, cpu: 20)],
            [entry("bluebonnet", rate: 15, cpu: 40), entry("c", rate: 60, cpu: 20)])
        let text = ComparisonReport(comparison: comparison).text(inMarkdown: true)
        #expect(text.contains("0.50"))
        #expect(text.contains("WORSE"))
        #expect(text.contains("Something is worse by more than 10%."))
    }
}
