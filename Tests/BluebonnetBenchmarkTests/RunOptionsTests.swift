import Testing

@testable import BluebonnetBenchmark

@Suite("The options of a run")
struct RunOptionsTests {
    @Test("by default, every client runs every case except the huge ones, five times")
    func defaults() throws {
        let options = try RunOptions([])
        #expect(options.rounds == 5)
        #expect(options.clients == Client.allCases)
        let names = options.cases.map(\.name)
        #expect(!names.contains { $0.contains("2g") })
        for old in ["small-get-1", "small-get-64", "medium-get-64", "large-get-1"] {
            #expect(names.contains(old))
        }
        #expect(Set(names).count == names.count)
    }

    @Test("a quick run has one round by default")
    func quick() throws {
        #expect(try RunOptions(["--quick"]).rounds == 1)
        #expect(try RunOptions(["--rounds", "3", "--quick"]).rounds == 3)
    }

    @Test("files, cases and clients are read from the arguments, in the order of the lists")
    func everything() throws {
        let options = try RunOptions([
            "--json", "a.json", "--chart", "a.svg", "--compare", "old.json", "--tolerance", "20",
            "--cases", "upload-2g,small-get-64", "--clients", "c,bluebonnet-async", "--markdown",
        ])
        #expect(options.jsonFile == "a.json")
        #expect(options.chartFile == "a.svg")
        #expect(options.earlierFile == "old.json")
        #expect(options.tolerance == 20)
        #expect(options.cases.map(\.name) == ["small-get-64", "upload-2g"])
        #expect(options.clients == [.bluebonnetAsync, .c])
        #expect(options.isMarkdown)
    }

    @Test(
        "unknown options, missing values and numbers that are not positive are refused",
        arguments: [
            ["--cases", "small-get-65"], ["--cases", ","], ["--clients", "netscape"],
            ["--rounds", "0"], ["--rounds", "many"], ["--tolerance", "-1"], ["--json"], ["--fast"],
        ])
    func refused(arguments: [String]) {
        #expect(throws: UsageError.self) { try RunOptions(arguments) }
    }
}
