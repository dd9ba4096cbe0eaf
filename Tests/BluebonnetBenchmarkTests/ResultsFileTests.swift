import Foundation
import Testing

@testable import BluebonnetBenchmark

@Suite("The results in JSON")
struct ResultsFileTests {
    private func run(_ seconds: Double) -> ClientRun {
        ClientRun(
            seconds: seconds, cpuSeconds: 0.5, requests: 100, bytes: 7000, idleMemoryMebibytes: 30,
            peakMemoryMebibytes: 40
        )
    }

    private func file(_ name: String, _ runs: [ClientRun]) throws -> [String: Any] {
        let benchmarkCase = try #require(BenchmarkCase.all.first { $0.name == name })
        var result = CaseResult(benchmarkCase, bodyBytes: 70)
        result.runs[.bluebonnetAsync] = runs
        let file = ResultsFile(
            results: [result], clients: Client.allCases, machine: Machine.current())
        let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(file))
        let results = try #require((object as? [String: Any])?["results"] as? [[String: Any]])
        #expect(results.count == 1)
        return try #require(results.first)
    }

    @Test("an entry has the medians and the spread, under the names that other programs read")
    func fields() throws {
        let entry = try file("small-get-64", [run(1), run(4), run(2)])
        #expect(entry["case"] as? String == "small-get-64")
        #expect(entry["client"] as? String == "bluebonnet-async")
        #expect(entry["requestsPerSecond"] as? Double == 50)
        #expect(entry["cpuMicrosecondsPerRequest"] as? Double == 5000)
        #expect(entry["seconds"] as? Double == 2)
        #expect(entry["peakMemoryMebibytes"] as? Double == 40)
        #expect(entry["idleMemoryMebibytes"] as? Double == 30)
        let spread = try #require(entry["spread"] as? [String: [Double]])
        #expect(spread["requestsPerSecond"] == [25, 100])
        #expect(entry["memoryPerTaskKibibytes"] == nil)
    }

    @Test("cases with tasks in flight add memory per task, slowdown and CPU growth")
    func held() throws {
        var run = run(1)
        run.memoryPerTaskKibibytes = 20
        run.slowdown = 1.1
        run.cpuGrowth = 1.2
        let entry = try file("slow-10000", [run])
        #expect(entry["memoryPerTaskKibibytes"] as? Double == 20)
        #expect(entry["slowdown"] as? Double == 1.1)
        #expect(entry["cpuGrowth"] as? Double == 1.2)
    }

    @Test("files without spreads can still be compared")
    func older() throws {
        let text = """
            {"results": [{"case": "small-get-1", "client": "c", "requestsPerSecond": 1,
            "cpuMicrosecondsPerRequest": 2, "seconds": 3, "peakMemoryMebibytes": 4,
            "idleMemoryMebibytes": 5}], "machine": {"processor": "p", "cores": 2,
            "memoryMebibytes": 1, "system": "s", "kernel": "k"}}
            """
        let file = try JSONDecoder().decode(ResultsFile.self, from: Data(text.utf8))
        #expect(file.results.first?.peakMemoryMebibytes == 4)
        #expect(file.results.first?.spread == nil)
    }
}
