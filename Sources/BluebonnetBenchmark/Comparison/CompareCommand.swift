/// `scripts/benchmark compare`: compares two result files without running anything.
struct CompareCommand {
    private let comparison: Comparison

    init(_ arguments: some Collection<String>) throws {
        var reader = OptionReader(arguments)
        var files: [String] = []
        var tolerance = Comparison.defaultTolerance
        while let argument = reader.next() {
            switch argument {
            case "--tolerance": tolerance = try reader.positiveNumber()
            case let option where option.hasPrefix("-"):
                throw UsageError(message: "unknown option \(option)")
            default: files.append(argument)
            }
        }
        guard files.count == 2 else {
            throw UsageError(message: "compare needs two files, the older one first")
        }
        comparison = Comparison(
            earlier: try ResultsFile.read(files[0]), later: try ResultsFile.read(files[1]),
            tolerance: tolerance
        )
    }

    /// Returns the exit status.
    func run() -> Int32 {
        print(ComparisonReport(comparison: comparison).text(inMarkdown: false))
        return comparison.isWorse ? ExitStatus.worse : 0
    }
}
